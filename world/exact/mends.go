package exact

// What each function is mended by belongs to its exact sequence of operations and to its constants:
// TestEveryArgument finds it.
var (
	sinMends = []mend{
		{0x46199998, 0xbeb1fa5d}, {0xc6199998, 0x3eb1fa5d},
	}
	cosMends   = []mend{{0x5922aa80, 0x3f08aebf}, {0x5f18b878, 0x3f7f14bb}, {0x6115cb11, 0x3f78142f}}
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
	logMends   = []mend{}
	log2Mends  = []mend{}
	log10Mends = []mend{}
	log1pMends = []mend{}
	cbrtMends  = []mend{}
)
