export type ExamDomain = {
  name: string;
  /** Its part of the exam in per cent; null when the body does not publish it for each domain. */
  share: number | null;
};

/**
 * The domains of an exam with their weights, which the content writes as `Asset security (10 per cent)`. Where one has
 * none, all keep the content's wording: parts of a whole can only be drawn when all are known.
 */
export function examOutline(domains: readonly string[]): ExamDomain[] {
  const weighted = domains.flatMap((domain) => {
    const [, name, share] = /^(.+) \((\d+) per cent\)$/.exec(domain) ?? [];
    return name && share ? [{ name, share: Number(share) }] : [];
  });
  return weighted.length === domains.length ? weighted : domains.map((name) => ({ name, share: null }));
}
