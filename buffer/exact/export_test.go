package exact

// Mends are the tables of mends.go, as arguments and results.
func Mends() map[string]map[uint32]uint32 {
	all := map[string]map[uint32]uint32{}
	for name, list := range map[string][]mend{
		"Sin": sinMends, "Cos": cosMends, "Tan": tanMends,
		"Asin": asinMends, "Acos": acosMends, "Atan": atanMends,
		"Sinh": sinhMends, "Cosh": coshMends, "Tanh": tanhMends,
		"Exp": expMends, "Exp2": exp2Mends, "Expm1": expm1Mends,
		"Log": logMends, "Log2": log2Mends, "Log10": log10Mends, "Log1p": log1pMends,
		"Cbrt": cbrtMends,
	} {
		all[name] = map[uint32]uint32{}
		for _, m := range list {
			all[name][m.argument] = m.result
		}
	}
	return all
}
