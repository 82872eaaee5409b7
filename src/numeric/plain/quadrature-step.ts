/**
 * The step of the trapezoid rule for exp φ of tier-stage.ts. Its relative error with step h is about 2 |F(ω) / F(0)|, where F is the Fourier
 * transform of exp φ and ω = 2π / h; the terms of 2ω, 3ω, ... are far smaller. Two things decide how fast F falls:
 *
 * The peak. Where all items are below R, exp φ is e^(ks - βe^s), for which |F(ω) / F(0)| = |Γ(k + iω)| / Γ(k), with k = -φ'' = 1 / width² at the
 * peak; otherwise F falls about as fast for the same k. By Stirling's series this is e^-L where
 *   k = ω² / 2L - L / 3 + 1/2 + 0.06 L³ / ω²,
 * with 0.06 in place of 0.09, its value for large ω: k is then right or up to 0.3 too small for L from 16 to 33 and any ω that follows.
 *
 * The rise on the left. Where many items are above R, exp φ rises like exp(-e^(-cs)), for which F falls like e^(-πω / 2c), however wide the peak. φ' where φ
 * is L below its peak, times 2 / π, is the ω at which this is e^-L; and for a normal density, of which ω² = 2L / width², it is that ω itself.
 *
 * The two are combined as ω⁴ = ω_peak⁴ + (1.26 φ')⁴: among random stages of all kinds the error was never above 2 e^-L then, with 1 in place of
 * 1.26 it was up to 30 times that.
 */

/** The frequency ω at which the Fourier transform of exp φ is about e^-nats of that at 0; `slope` is φ' where φ is as many nats below its peak. */
export function highestFrequency(width: number, slope: number, nats: number): number {
  const shifted = 1 / (width * width) + nats / 3 - 0.5;
  const square = nats * (shifted + Math.sqrt(Math.max(0, shifted * shifted - 0.12 * nats * nats)));
  const steep = 1.6 * slope * slope;
  return Math.sqrt(Math.sqrt(square * square + steep * steep));
}
