//! Keys that services publish in their own examples and samples. They open
//! nothing, and would be reported again and again.
//!
//! From the sources of the Firebase SDK for Android, and the documentation of
//! Stripe and `NuGet`. Kept as hashes, so that no scanner takes this file for a
//! leak.

/// The first eight bytes of the SHA-256 of each, in order.
const PUBLISHED: [u64; 16] = [
    0x11b0_cb4b_7a37_f64c,
    0x2037_abca_ffb2_b777,
    0x27a9_a429_31df_f7eb,
    0x2caf_c097_0149_a84f,
    0x37f8_f09b_df12_c2f2,
    0x49f7_77db_995e_8260,
    0x4c98_242d_cadc_8b29,
    0x6ca6_473b_42d9_c17e,
    0x8731_261c_b72d_8626,
    0xa19f_89ab_3555_eac1,
    0xdba7_2c00_f41f_4e4c,
    0xdc0f_cf04_6c61_640c,
    0xea9b_b108_2cf9_5663,
    0xeb54_0d2b_6ee2_a0a4,
    0xf2d6_ca16_5150_33e5,
    0xf56e_3234_94a6_ffc2,
];

/// Whether a token is one of them.
pub(super) fn is_published(token: &[u8]) -> bool {
    use sha2::{Digest, Sha256};
    let hash = Sha256::digest(token);
    let first = hash.iter().take(8).fold(0, |first, byte| (first << 8) | u64::from(*byte));
    PUBLISHED.binary_search(&first).is_ok()
}
