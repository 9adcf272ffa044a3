import { claimsOfPages } from '#app/features/content/needed-records.ts';
import { formatDay, formatMonth } from '#app/lib/dates.ts';
import { type OwnFigures, ownRecord } from './claim-comparisons.ts';
import type { Texts } from './site.ts';

export type Claim = { value: string; wording: string; source: string; asOf: string };

type Claims = Texts['claims'];

/** The figures that the site boasts of, from the register (P6), without hidden ones (P106). */
export const shownClaims = (claims: Claims): (Claim & { id: string })[] =>
  claims
    .filter(({ hidden }) => !hidden)
    .map(({ id, value, wording, source, asOf }) => ({ id, value, wording, source, asOf: dateText(asOf) }));

type Place = Exclude<keyof typeof claimsOfPages, 'goal'>;

/** The shown figures of a place on the site, in its order. */
export const claimsFor = (claims: Claims, place: Place) =>
  claimsOfPages[place].flatMap((id) => shownClaims(claims).find((claim) => claim.id === id) ?? []);

/** The goal that the first page names; null while it is hidden. */
export const goalOf = (claims: Claims): Claim | null =>
  shownClaims(claims).find(({ id }) => id === claimsOfPages.goal) ?? null;

/** The note beside a figure: its source and date. */
export function claimNote({ source, asOf }: Claim): string {
  return `Source: ${source}. As of ${asOf}.`;
}

/** All shown figures, each compared with the site's own records and other figures. */
export function claimsWithRecords(claims: Claims, own: OwnFigures): (Claim & { id: string; records: string[] })[] {
  const shown = shownClaims(claims);
  return shown.map((claim) => {
    const { compare, ownRecords, beside = [] } = claims.find(({ id }) => id === claim.id) ?? {};
    const others = shown.filter(({ id }) => beside.includes(id));
    return {
      ...claim,
      records: [
        ...(compare ? [ownRecord(compare, own)] : []),
        ...(ownRecords ? [ownRecords] : []),
        ...others.map(({ value, wording }) => `Elsewhere the site says ${value} ${wording}.`),
      ],
    };
  });
}

/** A year, month or day of the register in words. */
function dateText(asOf: string): string {
  if (asOf.length === 4) return asOf;
  return asOf.length === 7 ? formatMonth(asOf) : formatDay(asOf);
}
