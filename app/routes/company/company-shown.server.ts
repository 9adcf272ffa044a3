import { href } from 'react-router';
import type { CompanyRecords } from '#app/features/companies/company-page.server.ts';
import { offerPath, pageToken } from '#app/features/companies/links.server.ts';
import { stateOn } from '#app/features/companies/rules.ts';
import type { Enrolment, Place } from '#app/features/enrolments/enrolment.ts';
import { firstDayOf, isOver } from '#app/features/enrolments/may-change.ts';
import { courseDateWhere } from '#app/features/enrolments/words.ts';
import { isAccessOver } from '#app/features/money/guided-access.ts';
import { offerNumber } from '#app/features/money/invoice-rules.ts';
import { certificatesSeenByEmployer } from '#app/features/study/certificates/employer.server.ts';
import { earnedOnPlaces } from '#app/features/study/certificates/queries.server.ts';
import { readStudies, type Study } from '#app/features/study/study.server.ts';
import { type Academy, momentOf } from '#app/http/academy.server.ts';
import { formatAbn } from '#app/lib/abn.ts';
import { academyDay } from '#app/lib/academy-day.ts';
import { type Day, formatDay, formatDays } from '#app/lib/dates.ts';
import { hoursAndMinutes } from '#app/lib/hours.ts';
import { formatMoney } from '#app/lib/money.ts';
import { shortDay } from '#app/lib/short-dates.ts';

/** A seat of an organisation: who, how far they are, and the page on which it is changed. */
export type ShownSeat = {
  key: number;
  /** Null: not named yet. */
  name: string | null;
  email: string | null;
  state: string;
  /** The certificate, when its holder lets the organisation see it. */
  certificate: string | null;
  reference: string;
  page: string;
  /** For the file. */
  buyer: string;
  amountCents: number;
};

/** Everybody of an organisation on one date, or in one guided course from one day. */
export type ShownDate = {
  key: string;
  title: string;
  when: string;
  where: string;
  over: boolean;
  /** `Cancelled by us`, `Not confirmed yet`; null when there is nothing to say. */
  standing: string | null;
  firstDay: Day | null;
  lastDay: Day | null;
  seats: ShownSeat[];
};

/** Where an enrolment and its documents are, for a manager or for staff. */
export type CompanyLinks = {
  enrolment(enrolment: Pick<Enrolment, 'id' | 'reference'>): string;
  /** `document` is such as `tax-invoice:12`. */
  document(enrolment: Pick<Enrolment, 'id'>, document: { number: string; document: string }): string;
  offer(offer: { id: number }): string;
};

/** The page of an organisation as it is shown, to its managers and to staff (P116). */
export async function showCompany(academy: Academy, records: CompanyRecords, links: CompanyLinks) {
  const { now, today } = momentOf(academy);
  const { organisation, enrolments, opened, offers, asks, managers, acts } = records;
  const taken = enrolments.flatMap(({ enrolment }) =>
    enrolment.places.filter(({ state }) => state !== 'cancelled').map((place) => ({ enrolment, place })),
  );
  const ids = taken.map(({ place }) => place.id);
  const studies = new Map((await readStudies(academy.db, ids)).map((study) => [study.placeId, study]));
  const earned = new Set((await earnedOnPlaces(academy.db, ids)).map(({ placeId }) => placeId));
  const certificates = await certificatesSeenByEmployer(academy.db, ids);
  const seatOf = ({ enrolment, place }: (typeof taken)[number], over: boolean): ShownSeat => {
    const number = certificates.get(place.id);
    return {
      key: place.id,
      name: place.attendee.name,
      email: place.attendee.email,
      state: seatState(place, {
        study: studies.get(place.id),
        over,
        opened: opened.has(place.attendee.id),
        finished: earned.has(place.id),
      }),
      certificate: number === undefined ? null : href('/certificates/:number', { number }),
      reference: enrolment.reference,
      page: links.enrolment(enrolment),
      buyer: enrolment.buyerName,
      amountCents: place.amountCents,
    };
  };
  const groups = Map.groupBy(taken, ({ place }) =>
    [place.courseId, place.way, place.courseDate?.id, place.guidedFrom].join(),
  );
  const dates = [...groups].flatMap(([key, group]): ShownDate[] => {
    const [first] = group;
    if (!first) return [];
    const over = group.every(({ place }) => isPast(place, now, today));
    return [
      {
        key,
        title: first.place.courseTitle,
        ...whenOf(first.place),
        over,
        firstDay: firstDayOf(first.place),
        lastDay: first.place.courseDate?.endsOn ?? first.place.guidedFrom,
        seats: group
          .map((one) => seatOf(one, over))
          .toSorted((a, b) => (a.name ?? '\uffff').localeCompare(b.name ?? '\uffff')),
      },
    ];
  });
  const days = (one: ShownDate) => one.firstDay ?? '9999';
  const open = enrolments.flatMap(({ money }) => money.open);
  const sum = (amounts: readonly number[]) => amounts.reduce((all, cents) => all + cents, 0);
  const overdue = open.filter(({ dueOn, dueCents }) => dueOn !== null && dueOn < today && dueCents > 0);
  const next = open.flatMap(({ dueOn, dueCents }) => (dueOn !== null && dueOn >= today && dueCents > 0 ? dueOn : []));
  return {
    name: organisation.trading_name ?? organisation.legal_name,
    abn: organisation.abn && formatAbn(organisation.abn),
    agreed: agreedInWords(organisation),
    toCome: dates.filter(({ over }) => !over).toSorted((a, b) => days(a).localeCompare(days(b))),
    over: dates.filter(({ over }) => over).toSorted((a, b) => days(b).localeCompare(days(a))),
    owed: {
      open: formatMoney(sum(open.map(({ openCents }) => openCents))),
      overdue: overdue.length > 0 ? formatMoney(sum(overdue.map(({ dueCents }) => dueCents))) : null,
      nextDue: next.toSorted()[0] ? shortDay(next.toSorted()[0] ?? '') : null,
      paid: formatMoney(sum(enrolments.map(({ money }) => money.paidCents - money.refundedCents))),
    },
    documents: enrolments
      .flatMap(({ enrolment, money }) =>
        money.documents.map((document) => ({
          key: document.document,
          number: document.number,
          title: enrolment.title,
          issuedOn: document.issuedOn,
          amount: `${document.kind === 'adjustment-note' ? '−' : ''}${formatMoney(document.totalCents)}`,
          ...documentState(document, money.open, today),
          file: links.document(enrolment, document),
          page: links.enrolment(enrolment),
        })),
      )
      .toSorted((a, b) => Number(b.unpaid) - Number(a.unpaid) || b.issuedOn.localeCompare(a.issuedOn)),
    offers: offers.map((offer) => ({
      id: offer.id,
      number: offerNumber(offer.number),
      title: offer.title,
      total: formatMoney(offer.totalCents),
      state: offerState(stateOn(offer, today), offer.lastDay),
      page: links.offer(offer),
    })),
    asks: asks.map((ask) => ({ ...ask, asked_at: shortDay(academyDay(ask.asked_at)) })),
    managers: managers.map(({ id, personId, name, email, proved }) => ({ id, personId, name, email, proved })),
    acts,
  };
}
export type CompanyShown = Awaited<ReturnType<typeof showCompany>>;

/** Whether a place is over: its date, its access, or because its course is completed. */
const isPast = (place: Place, now: Date, today: Day): boolean =>
  place.courseDate
    ? isOver(place.courseDate, now)
    : place.state === 'completed' || (place.guidedFrom !== null && isAccessOver(place.guidedFrom, today));

function whenOf({ courseDate, guidedFrom }: Place): Pick<ShownDate, 'when' | 'where' | 'standing'> {
  if (courseDate) {
    const { startsOn, endsOn, state, decidedBy } = courseDate;
    return {
      when: formatDays(startsOn, endsOn),
      where: courseDateWhere(courseDate),
      standing:
        state === 'cancelled'
          ? 'We had to cancel this date'
          : state === 'tentative'
            ? `Not confirmed yet${decidedBy ? `, by ${formatDay(decidedBy)}` : ''}`
            : null,
    };
  }
  return guidedFrom === null
    ? { when: 'On its next date', where: '', standing: null }
    : { when: `Guided, from ${formatDay(guidedFrom)}`, where: 'Online', standing: null };
}

type Progress = { study: Study | undefined; over: boolean; opened: boolean; finished: boolean };

/** How far one seat is, in a few words: named, opened, attended, finished (P116). */
function seatState({ state, way, attendee }: Place, { study, over, opened, finished }: Progress): string {
  const hours = study && `${hoursAndMinutes(study.minutesAttended)} of ${hoursAndMinutes(study.minutesTaught)}`;
  if (state === 'completed' || finished) return way === 'date' && hours ? `Finished, attended ${hours}` : 'Finished';
  if (attendee.name === null) return over ? 'Nobody came' : 'Not named yet';
  if (study && way === 'guided' && study.share.done > 0)
    return `${study.share.done} of ${study.share.of} exercises accepted`;
  if (study && way === 'date' && study.minutesAttended > 0) return `Attended ${hours}`;
  if (over && study?.days.some(({ mark }) => mark !== null)) return 'Did not attend';
  if (over) return 'Not marked yet';
  if (opened) return 'Opened';
  return attendee.email === null ? 'Named, without an address' : 'Named, not opened yet';
}

type Documents = CompanyRecords['enrolments'][number]['money'];

function documentState(
  { kind, number, cancelledBy, issuedOn }: Documents['documents'][number],
  open: Documents['open'],
  today: Day,
): { state: string; unpaid: boolean } {
  if (kind === 'adjustment-note') return { state: `Adjustment note, ${shortDay(issuedOn)}`, unpaid: false };
  const its = open.find((one) => one.number === number);
  if (its?.dueOn) {
    const late = its.dueOn < today && its.dueCents > 0;
    return { state: late ? `Overdue since ${shortDay(its.dueOn)}` : `Due ${shortDay(its.dueOn)}`, unpaid: true };
  }
  if (its) return { state: 'Not due yet', unpaid: true };
  return { state: cancelledBy ? `Cancelled by ${cancelledBy}` : 'Paid', unpaid: false };
}

function offerState(state: CompanyRecords['offers'][number]['state'], lastDay: Day): string {
  const words = { declined: 'Declined', over: 'Over', accepted: 'Accepted', draft: '', replaced: '' };
  return state === 'sent' ? `Open until ${shortDay(lastDay)}` : words[state];
}

function agreedInWords({
  discount_percent: percent,
  terms_days: days,
  credit_seats: seats,
}: CompanyRecords['organisation']): string[] {
  return [
    percent > 0 ? `${percent}% off` : '',
    days === null ? '' : `${days} days to pay`,
    seats > 0 ? `up to ${seats} seats unpaid` : '',
  ].filter((part) => part !== '');
}

/** The links of a manager: private pages of their own sign-in, by the enrolment's id. */
export const managersLinks = (tokens: ReadonlyMap<number, string>, secret: string): CompanyLinks => {
  const tokenOf = (id: number) => tokens.get(id) ?? '';
  return {
    enrolment: ({ id }) => href('/enrolment/:token', { token: tokenOf(id) }),
    document: ({ id }, { number }) =>
      href('/enrolment/:token/document/:file', { token: tokenOf(id), file: `${number.toLowerCase()}.pdf` }),
    offer: ({ id }) => offerPath(pageToken(secret, id)),
  };
};
