package exact

// The mends of a function depend on its exact sequence of operations and its constants;
// TestEveryArgument finds them.
var (
	sinMends = []mend{
		{0x46199998, 0xbeb1fa5d}, {0xc6199998, 0x3eb1fa5d},
	}
	cosMends = []mend{
		{0x5922aa80, 0x3f08aebf}, {0x5f18b878, 0x3f7f14bb}, {0x6115cb11, 0x3f78142f},
	}
	tanMends   = []mend{}
	asinMends  = []mend{}
	acosMends  = []mend{{0x328885a3, 0x3fc90fdb}, {0x39826222, 0x3fc907b5}}
	atanMends  = []mend{{0x3d8d6b23, 0x3d8d31c3}}
	expMends   = []mend{}
	exp2Mends  = []mend{{0x3b429d37, 0x3f804385}, {0xbcf3a937, 0x3f7ac6b1}}
	expm1Mends = []mend{}
	sinhMends  = []mend{{0x3a1285ff, 0x3a1285ff}}
	coshMends  = []mend{}
	tanhMends  = []mend{}
	logMends   = []mend{
		{0x3c413d3a, 0xc08e158f},
		{0x41178feb, 0x400fe5e7},
		{0x4c5d65a5, 0x418f034b},
		{0x5ee8984e, 0x422e4a21},
		{0x65d890d3, 0x4254d1f9},
		{0x6f31a8ec, 0x42845a89},
	}
	log2Mends  = []mend{}
	log10Mends = []mend{{0x0efeee7a, 0xc1e99d23}, {0x2f149212, 0xc11de885}}
	log1pMends = []mend{
		{0x35400003, 0x353fffff},
		{0x3710001b, 0x370ffff3},
		{0x3efd81ad, 0x3ecdeee1},
		{0x41078feb, 0x400fe5e7},
		{0x5ee8984e, 0x422e4a21},
		{0x65d890d3, 0x4254d1f9},
		{0x6f31a8ec, 0x42845a89},
		{0xb53ffffd, 0xb5400001},
		{0xb70fffe5, 0xb710000d},
		{0xbb0ec8c4, 0xbb0ef0a5},
	}
	cbrtMends = []mend{}
)
