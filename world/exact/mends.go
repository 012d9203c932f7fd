package exact

// What each function is mended by belongs to its exact sequence of operations and to its constants:
// TestEveryArgument finds it.
var (
	sinMends   = []mend{}
	cosMends   = []mend{}
	tanMends   = []mend{}
	asinMends  = []mend{}
	acosMends  = []mend{}
	atanMends  = []mend{}
	expMends   = []mend{}
	exp2Mends  = []mend{}
	expm1Mends = []mend{}
	sinhMends  = []mend{}
	coshMends  = []mend{}
	tanhMends  = []mend{}
	logMends   = []mend{}
	log2Mends  = []mend{}
	log10Mends = []mend{}
	log1pMends = []mend{}
	cbrtMends  = []mend{}
)
