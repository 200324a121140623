//! Loops that are compiled for wider vectors too.

/// Each function twice: with AVX2 where the processor has it, with the same results.
macro_rules! with_avx2 {
    ($($(#[$doc:meta])* $public:vis fn $name:ident, $plain:ident, $avx2:ident
       ($($argument:ident: $type:ty),*) -> $result:ty $body:block)*) => {$(
        #[inline(always)]
        fn $plain($($argument: $type),*) -> $result $body

        #[cfg(target_arch = "x86_64")]
        #[target_feature(enable = "avx2")]
        fn $avx2($($argument: $type),*) -> $result {
            $plain($($argument),*)
        }

        $(#[$doc])*
        $public fn $name($($argument: $type),*) -> $result {
            #[cfg(target_arch = "x86_64")]
            if std::arch::is_x86_feature_detected!("avx2") {
                // SAFETY: the processor has what the function needs.
                return unsafe { $avx2($($argument),*) };
            }
            $plain($($argument),*)
        }
    )*};
}
pub(crate) use with_avx2;
