import { claimsOfPages } from '#app/features/content/needed-records.ts';
import { type Claim, claimOf } from './claims.ts';
import type { Texts } from './site.ts';

type Claims = Texts['claims'];

/** The figures of a place on the site, from the register (P6). The check lets none of them be left out. */
export const claimsFor = (claims: Claims, place: Exclude<keyof typeof claimsOfPages, 'goal'>): Claim[] =>
  claimsOfPages[place].map((id) => claimOf(claims, id));

/** The goal that the first page names (P6). */
export const goalOf = (claims: Claims): Claim => claimOf(claims, claimsOfPages.goal);
