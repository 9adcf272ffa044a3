import type { RefundPercent } from '#app/features/money/refund.ts';
import type { CourseDateState } from '#app/lib/course-date-state.ts';
import { type Day, yearAfter } from '#app/lib/dates.ts';
import type { Delivery } from '#app/lib/delivery.ts';
import { mailboxOf } from '#app/lib/mailbox.ts';
import type { Cents } from '#app/lib/money.ts';

/** The course date of a place; days and times are wall-clock in `zone`. */
export type PlaceCourseDate = {
  id: number;
  slug: string;
  state: CourseDateState;
  startsOn: Day;
  endsOn: Day;
  startsAt: string;
  endsAt: string;
  zone: string;
  delivery: Delivery;
  venue: string | null;
  /** The room, such as `Level 4, Room 4.2`; null until staff set it. */
  room: string | null;
  street: string | null;
  /** For people of the enrolment only: never on a public page, in a feed or in a log. */
  joiningLink: string | null;
  instructor: string;
  minimum: number;
  /** Seats sold of a private date (P114), of which its buyers leave nobody or the minimum; null for one for everybody. */
  privateSold: number | null;
  decidedBy: Day | null;
  confirmedOn: Day | null;
};

export type Attendee = {
  id: number;
  /**
   * The same for the courses of a combo that were bought for one person, also when some were given to another since: by
   * it they are one purchase (P99).
   */
  seat: number;
  name: string | null;
  email: string | null;
  needs: string | null;
  under18: boolean;
  guardianName: string | null;
  guardianEmail: string | null;
  /** False for one with an address who was not written to: too many places were given to it that day (P24). */
  told: boolean;
};

/** A module of a guided place as its course had it when it was placed; `number` counts from 1. */
export type PlaceModule = {
  number: number;
  title: string;
  topics: readonly string[];
  /** When it was opened first; null: not yet. */
  openedAt: Date | null;
};

/** One attendee on one course (P39). Amounts are in cents, GST included. */
export type Place = {
  id: number;
  attendee: Attendee;
  courseId: number;
  courseTitle: string;
  courseSlug: string;
  /** The price at the purchase: in a combo its share of the combo's price. Price less discount. */
  amountCents: Cents;
  priceCents: Cents;
  /** The period of that price (P76); null when it is not known. */
  priceId: number | null;
  discountCents: Cents;
  discount: string | null;
  state: 'active' | 'completed' | 'cancelled';
  /** `course date`: the academy cancelled or moved its date. `transfer`: it was moved. Otherwise whose choice it was. */
  cancelledWhy: 'buyer' | 'staff' | 'date' | 'transfer' | null;
  /** The academy's day on which it was cancelled or moved; null for others. */
  endedOn: Day | null;
  /**
   * The instant from which the buyer is bound: the place was placed, or a place without a date got one. A transfer does
   * not change it.
   */
  boundAt: Date;
  /** The modules of guided study, in order; none for other ways. */
  modules: readonly PlaceModule[];
  transferredFrom: number | null;
  /** The calendar id of the first place in the chain of transfers. */
  calendarId: string;
  /** How much of the charge came back on the day of its buyer's free move; null while that is not used (P100). */
  moveCap: RefundPercent | null;
  /** Until when its buyer chooses, because the academy cancelled or moved its course date (P100). */
  chooseBy: Day | null;
  chooseWhy: 'course-date-cancelled' | 'course-date-moved' | null;
} & (
  | { way: 'date'; courseDate: PlaceCourseDate; guidedFrom: null }
  | { way: 'guided'; courseDate: null; guidedFrom: Day }
  | { way: 'next-date'; courseDate: null; guidedFrom: null }
);

export type Enrolment = {
  id: number;
  reference: string;
  title: string;
  comboId: number | null;
  buyerName: string;
  email: string;
  phone: string | null;
  payer: 'person' | 'organisation';
  organisation: string | null;
  abn: string | null;
  address: string | null;
  purchaseOrder: string | null;
  /** The named address; `accountsOf` says whether anything is sent there. */
  accountsEmail: string | null;
  /** Whether a reader of that address agreed to get copies of the invoices (P30). */
  accountsConfirmed: boolean;
  /** The organisation whose managers see and change it (P110). */
  organisationId: number | null;
  /** The stored text of /terms that was accepted (P28). */
  termsId: number;
  placedAt: Date;
  /** SEQUENCE of its calendar entries, and when it last rose. */
  sequence: number;
  changedAt: Date;
  /** All places, past ones too, by attendee and course. A transfer cancels the place it starts from. */
  places: Place[];
};

/** One or several places of one enrolment that are taken in the same way. */
export type PlacesOfDate = readonly [Place, ...Place[]];

/** The places that are active now, together where course, date and way are the same. */
export const groupsOf = (places: readonly Place[]): PlacesOfDate[] =>
  groupByDate(places.filter(({ state }) => state === 'active'));

/** Places together where course, date and way are the same. */
export function groupByDate(places: readonly Place[]): PlacesOfDate[] {
  const groups = Map.groupBy(places, ({ courseId, way, courseDate, guidedFrom }) =>
    [courseId, way, courseDate?.id, guidedFrom].join(),
  );
  return [...groups.values()].flatMap(([first, ...others]) => (first ? [[first, ...others] as const] : []));
}

/** Whether a place has a course date. */
export const hasDates = (place: Place): place is Place & { way: 'date' } => place.way === 'date';

/** Whether a place is attended by the buyer, as far as the addresses tell. */
export const isBuyers = ({ email }: Pick<Enrolment, 'email'>, { attendee }: Pick<Place, 'attendee'>) =>
  attendee.email !== null && mailboxOf(attendee.email) === mailboxOf(email);

/** The last day on which a date may begin to which a place is moved today: within twelve months, as /terms say (P40). */
export const lastFirstDay = (today: Day): Day => yearAfter(today);
