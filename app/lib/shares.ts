/**
 * Splits a whole number into whole shares in proportion to weights, by largest remainder: the shares sum to the total,
 * and none is more than one away from its exact part. Of equal remainders the first gets more. Neither the total nor a
 * weight may be below zero; when all weights are zero, so must the total be. Up to 2^53 exactly: total times weight.
 */
export function shareOut(total: number, weights: readonly number[]): number[] {
  const sum = weights.reduce((all, weight) => all + weight, 0);
  if (sum === 0) {
    if (total !== 0) throw new Error(`${total} cannot be shared among nothing`);
    return weights.map(() => 0);
  }
  const shares = weights.map((weight) => Math.floor((total * weight) / sum));
  const remainders = weights.map((weight, at) => ({ at, remainder: (total * weight) % sum }));
  const left = total - shares.reduce((all, share) => all + share, 0);
  for (const { at } of remainders.toSorted((a, b) => b.remainder - a.remainder || a.at - b.at).slice(0, left)) {
    shares[at] = (shares[at] ?? 0) + 1;
  }
  return shares;
}
