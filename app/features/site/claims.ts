import { formatDay, formatMonth } from '#app/lib/dates.ts';
import { type OwnFigures, ownRecord } from './claim-comparisons.ts';
import type { Texts } from './site.ts';

export type Claim = { value: string; wording: string; source: string; asOf: string };

type Claims = Texts['claims'];

/** A figure the site boasts of, from the register (P6). Throws for one that is not there. */
export function claimOf(claims: Claims, id: string): Claim {
  const claim = claims.find((one) => one.id === id);
  if (!claim) throw new Error(`No claim is registered as "${id}"`);
  return { value: claim.value, wording: claim.wording, source: claim.source, asOf: dateText(claim.asOf) };
}

/** The note beside a figure: its source and date. */
export function claimNote({ source, asOf }: Claim): string {
  return `Source: ${source}. As of ${asOf}.`;
}

/** The whole register, each figure compared with the site's own records and other figures. */
export function claimsWithRecords(claims: Claims, own: OwnFigures): (Claim & { id: string; records: string[] })[] {
  return claims.map(({ id, compare, beside = [], ownRecords }) => {
    const others = beside.map((other) => claimOf(claims, other));
    return {
      ...claimOf(claims, id),
      id,
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
