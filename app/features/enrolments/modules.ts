import { accessEndsOn, isAccessOver } from '#app/features/money/guided-access.ts';
import type { Moment } from '#app/http/academy.server.ts';
import { academyDay } from '#app/lib/academy-day.ts';
import { type Day, formatDay } from '#app/lib/dates.ts';
import { type Cents, formatMoney } from '#app/lib/money.ts';
import type { Place } from './enrolment.ts';
import { modulesOpened } from './may-change.ts';

/** A module of guided study on the attendee's pages. */
export type ModuleShown = {
  number: number;
  title: string;
  topics: readonly string[];
  /** The day on which it was opened first, in words; null: not yet. */
  openedOn: string | null;
  /** Whether it has a text. */
  written: boolean;
  /** For a module that was opened without a text: the end of the day by which it is handed out, in words. */
  comesBy: string | null;
};

/** The modules of a place that have a text, and the requested ones with the day by which they come (P105). */
export type ModuleStandings = { written: ReadonlySet<number>; asked: ReadonlyMap<number, Day>; overdue: boolean };

/** The modules of a guided place as its attendee sees them. */
export type ModulesShown = {
  placeId: number;
  /** `3 of 8 modules opened`. */
  count: string;
  /**
   * Whether a module can be opened: `open` from the Monday or the first opening on, `early` before it (it is asked
   * first), `overdue` while the invoice for the place is, `over` when access has ended.
   */
  opening: 'open' | 'early' | 'overdue' | 'over';
  begins: string;
  ends: string;
  /** The effect of opening one more module on the refund; null when none is left to open or access has ended. */
  effect: string | null;
  modules: ModuleShown[];
};

/** The refund lost by opening one more module, in cents; null for an attendee who is not the buyer (P32). */
export type OpeningCost = Cents | null;

/** The modules of a guided place in words. */
export function modulesShown(
  place: Place & { way: 'guided' },
  cost: OpeningCost,
  { written, asked, overdue }: ModuleStandings,
  moment: Pick<Moment, 'now' | 'today'>,
): ModulesShown {
  const { id, guidedFrom, modules, state } = place;
  const { today } = moment;
  const opened = modulesOpened(place);
  const over = state !== 'active' || isAccessOver(guidedFrom, today);
  const begun = today >= guidedFrom || opened > 0;
  return {
    placeId: id,
    count: modulesCount(place),
    opening: over ? 'over' : overdue ? 'overdue' : begun ? 'open' : 'early',
    begins: formatDay(guidedFrom),
    ends: formatDay(accessEndsOn(guidedFrom)),
    effect: over || opened === modules.length ? null : effectText(cost),
    modules: modules.map(({ number, title, topics, openedAt }) => {
      const comesBy = asked.get(number);
      return {
        number,
        title,
        topics,
        openedOn: openedAt && formatDay(academyDay(openedAt)),
        written: written.has(number),
        comesBy: comesBy === undefined ? null : formatDay(comesBy),
      };
    }),
  };
}

/** `3 of 8 modules opened`: all that a buyer and staff are told. */
export const modulesCount = (place: Pick<Place, 'modules'>): string =>
  `${modulesOpened(place)} of ${place.modules.length} modules opened`;

function effectText(cost: OpeningCost): string {
  if (cost === null) {
    return 'If the person who enrolled you cancels, they get back less for each module that you have opened.';
  }
  if (cost === 0) return 'Opening a module does not change your refund if you cancel.';
  return `Opening a module takes ${formatMoney(cost)} off your refund if you cancel.`;
}
