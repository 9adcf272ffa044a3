import type { Catalogue } from '#app/features/catalogue/catalogue.ts';
import type { Combo } from './promotion.ts';
import type { ComboRow } from './queries.server.ts';

export type Combos = {
  combos: readonly Combo[];
  /** Former slug of a combo to its slug now (P3). */
  comboAliases: ReadonlyMap<string, string>;
};

/** Combos whose courses are all offered. */
export function assembleCombos(rows: readonly ComboRow[], { byId }: Catalogue): Combos {
  return {
    combos: rows.flatMap(({ courseIds, aliases: _, ...combo }): Combo[] => {
      const courses = courseIds.flatMap((id) => byId.get(id)?.card ?? []);
      return courses.length === courseIds.length ? [{ ...combo, courses }] : [];
    }),
    comboAliases: new Map(rows.flatMap(({ slug, aliases }) => aliases.map((alias): [string, string] => [alias, slug]))),
  };
}
