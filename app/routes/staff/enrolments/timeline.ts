import { href } from 'react-router';
import { detailsInWords } from '#app/audit/details-in-words.ts';
import type { Attendee, Enrolment } from '#app/features/enrolments/enrolment.ts';
import type { TimelineRows } from '#app/features/inbox/enrolment-timeline.server.ts';
import { actionInWords } from '#app/features/people/action-words.ts';
import { academyDay } from '#app/lib/academy-day.ts';
import { type Day, formatDay, formatDays } from '#app/lib/dates.ts';
import { formatExact } from '#app/lib/exact-money.ts';
import { formatMoment } from '#app/lib/short-dates.ts';
import { showControlCharacters } from '#app/lib/show-control-characters.ts';
import type { TimelineDay, Words } from '#app/ui/staff/timeline.tsx';
import type { Dated } from './dated.ts';
import { ofDates } from './timeline-dates.ts';
import { type Mail, ofEmails, ofMails } from './timeline-mail.ts';

type Payment = {
  id: number;
  amount_cents: number;
  method: string;
  recorded_at: Date;
  by: string | null;
  refunds: readonly { id: number; amount_cents: number; recorded_at: Date; by: string | null }[];
};

type Whole = { enrolment: Enrolment; placedBy: string | null; payments: readonly Payment[]; mails: readonly Mail[] };

const program = { who: 'program', by: 'Program' } as const;
const clean = (text: string | null) => showControlCharacters(text ?? '');

/** Acts of staff that the timeline shows by their records instead. */
const shownOtherwise = ['record-payment', 'record-refund', 'change-attendee', 'change-buyer'];

/** Everything that happened to an enrolment, in words, oldest first. */
export function happeningsOf(happened: TimelineRows, whole: Whole): Dated[] {
  const { enrolment } = whole;
  const buyer = { who: 'buyer', by: clean(enrolment.buyerName) } as const;
  const attendees = new Map(enrolment.places.map(({ attendee }) => [attendee.id, attendee]));
  const all: Dated[] = [
    ...ofStaff(happened),
    ...ofDates(happened),
    ...ofPlaces(happened, whole, buyer),
    ...happened.documents.map(
      ({ id, kind, number, created_at }): Dated => ({
        key: `${kind}-${id}`,
        ...program,
        at: created_at,
        words: ['issued ', documentLink(kind, id, number)],
      }),
    ),
    ...ofMoney(whole.payments),
    ...ofMails(whole.mails),
    ...ofEmails(happened, buyer, enrolment.email),
    ...happened.openings.map(
      (one): Dated => ({
        key: `opened-${one.id}`,
        who: 'buyer',
        by: one.attendee_id === null ? buyer.by : nameOf(attendees.get(one.attendee_id)),
        at: one.opened_at,
        words: openedWords(one, happened),
      }),
    ),
    ...ofCorrections(happened, { attendees, buyer }),
    ...ofOffers(happened),
    ...happened.notes.map(
      (note): Dated => ({
        key: `note-${note.id}`,
        who: 'staff',
        by: note.by,
        at: note.at,
        words: [note.edited ? 'noted (changed since)' : 'noted'],
        body: clean(note.text),
      }),
    ),
  ];
  return all.toSorted((a, b) => a.at.getTime() - b.at.getTime());
}

const nameOf = (attendee: Pick<Attendee, 'name'> | undefined) => clean(attendee?.name ?? 'An attendee');

const documentLink = (kind: 'tax-invoice' | 'adjustment-note', id: number, number: string): Words => ({
  text: number,
  to: href('/staff/documents/:kind/:id', { kind, id: String(id) }),
  file: true,
});

function ofStaff({ audit, corrections }: TimelineRows): Dated[] {
  const isCorrected = (at: Date) => corrections.some((one) => one.at.getTime() === at.getTime());
  return audit
    .filter(({ action, at }) => !shownOtherwise.includes(action) || (action.startsWith('change-') && !isCorrected(at)))
    .map(({ id, by, at, action, details }) => {
      const more = detailsInWords(details);
      const words = [actionInWords(action), ...(more ? [`: ${more}`] : [])];
      return { key: `act-${id}`, ...(by === null ? program : { who: 'staff', by }), at, words };
    });
}

/** Enrolling, joining, moving and cancelling; what staff did of it stands as their act at the same instant. */
function ofPlaces(
  { places, audit }: TimelineRows,
  { enrolment, placedBy }: Whole,
  buyer: Pick<Dated, 'who' | 'by'>,
): Dated[] {
  const attendeeOf = (placeId: number) => enrolment.places.find(({ id }) => id === placeId)?.attendee;
  const byStaff = (at: Date, actions: readonly string[]) =>
    audit.some((entry) => entry.at.getTime() === at.getTime() && actions.includes(entry.action));
  const first = places.filter(({ placed_at }) => placed_at.getTime() === enrolment.placedAt.getTime());
  const people = new Set(first.map(({ attendee_id }) => attendee_id)).size;
  const began: Dated[] = [
    {
      key: 'placed',
      ...buyer,
      at: enrolment.placedAt,
      words: [`enrolled ${people === 1 ? '1 person' : `${people} people`} and accepted the terms`],
    },
  ];
  const joined = places
    .filter((place) => place.transferred_from === null && !first.includes(place))
    .filter(({ placed_at }) => !byStaff(placed_at, ['add-attendee']));
  const added = [...Map.groupBy(joined, ({ attendee_id }) => attendee_id).values()].flatMap(([place]): Dated[] =>
    place
      ? [{ key: `joined-${place.id}`, ...buyer, at: place.placed_at, words: [`added ${nameOf(attendeeOf(place.id))}`] }]
      : [],
  );
  const moved = places
    .filter(({ transferred_from, placed_at }) => transferred_from !== null && !byStaff(placed_at, ['transfer-place']))
    .map(
      (place): Dated => ({
        key: `moved-${place.id}`,
        ...buyer,
        at: place.placed_at,
        words: [`moved the place of ${nameOf(attendeeOf(place.id))} to another date`],
      }),
    );
  const ended = places.flatMap(({ id, cancelled_at: at, cancelled_why: why }): Dated[] => {
    if (!at || !why || why === 'transfer' || why === 'staff') return [];
    const whose = `the place of ${nameOf(attendeeOf(id))}`;
    if (why === 'date') {
      return [{ key: `ended-${id}`, ...program, at, words: [`refunded ${whose}: we had cancelled or moved its date`] }];
    }
    return [{ key: `ended-${id}`, ...buyer, at, words: [`cancelled ${whose}`] }];
  });
  return [...(placedBy === null ? began : []), ...added, ...moved, ...ended];
}

const methods: Record<string, string> = { bank: 'by bank transfer', card: 'by card' };

function ofMoney(payments: readonly Payment[]): Dated[] {
  const actor = (by: string | null) => (by === null ? program : ({ who: 'staff', by } as const));
  return payments.flatMap((payment) => {
    const link: Words = {
      text: formatExact(payment.amount_cents),
      to: href('/staff/payments/:id', { id: String(payment.id) }),
    };
    return [
      {
        key: `payment-${payment.id}`,
        ...actor(payment.by),
        at: payment.recorded_at,
        words: ['recorded ', link, ` paid ${methods[payment.method] ?? ''}`.trimEnd()],
      },
      ...payment.refunds.map((refund) => ({
        key: `refund-${refund.id}`,
        ...actor(refund.by),
        at: refund.recorded_at,
        words: [`recorded a refund of ${formatExact(refund.amount_cents)}`],
      })),
    ];
  });
}

function openedWords({ what, document_id }: TimelineRows['openings'][number], { documents }: TimelineRows): Words[] {
  if (what === 'page') return ['opened their page'];
  if (what === 'calendar') return ['took the calendar entry'];
  const document = documents.find(({ kind, id }) => kind === what && id === document_id);
  return document ? ['opened ', documentLink(document.kind, document.id, document.number)] : ['opened a document'];
}

const fieldWords: Record<string, string> = {
  buyerName: 'the name',
  name: 'the name',
  email: 'the email address',
  phone: 'the phone number',
  organisation: 'the organisation',
  payer: 'who pays',
  abn: 'the ABN',
  address: 'the address',
  purchaseOrder: 'the purchase order',
  accountsEmail: 'the address for invoices',
};

function ofCorrections(
  { corrections }: TimelineRows,
  { attendees, buyer }: { attendees: ReadonlyMap<number, Attendee>; buyer: Pick<Dated, 'who' | 'by'> },
): Dated[] {
  return corrections.map((one): Dated => {
    const by = one.by_kind === 'staff' ? { who: 'staff' as const, by: one.by ?? 'A former colleague' } : buyer;
    const whose = one.attendee_id === null ? '' : ` of ${nameOf(attendees.get(one.attendee_id))}`;
    return { key: `corrected-${one.id}`, ...by, at: one.at, words: correctionWords(one, whose) };
  });
}

function correctionWords(
  { fields, name_before: before, name_after: after }: TimelineRows['corrections'][number],
  whose: string,
): Words[] {
  if (before && after) return ['corrected a name, from ', { text: clean(before), was: true }, ` to ${clean(after)}`];
  if (!before && after) return [`named ${clean(after)}`];
  if (before && !after) return ['took a name back: ', { text: clean(before), was: true }];
  if (fields.includes('needs')) return [`changed what is needed to take part${whose}`];
  const known = fields.flatMap((field) => fieldWords[field] ?? []);
  return [known.length > 0 ? `corrected ${known.join(', ')}${whose}` : `corrected the details${whose}`];
}

const offerEnds: Record<string, string> = {
  accepted: 'The buyer took it',
  declined: 'The buyer did not want it',
  lapsed: 'Nobody answered in time',
  withdrawn: 'Staff took it back',
  undeliverable: 'The mail did not arrive',
};

function ofOffers({ offers }: TimelineRows): Dated[] {
  return offers.map(
    ({ id, by, made_at, ended, ended_at, seats, slug, starts_on, ends_on }): Dated => ({
      key: `offer-${id}`,
      ...(by === null ? program : { who: 'staff' as const, by }),
      at: made_at,
      words: [
        `offered ${seats === 1 ? 'a seat' : `${seats} seats`} on `,
        { text: formatDays(starts_on, ends_on), to: href('/staff/course-dates/:slug', { slug }) },
        ended && ended_at ? `. ${offerEnds[ended] ?? 'It ended'} on ${formatMoment(ended_at)}` : '',
      ],
    }),
  );
}

/** The latest first, by days in Brisbane. */
export function byDay(timelineEntries: readonly Dated[], today: Day): TimelineDay[] {
  const days = Map.groupBy(timelineEntries.toReversed(), ({ at }) => academyDay(at));
  return [...days].map(([day, its]) => ({
    day,
    title: day === today ? 'Today' : formatDay(day).replace(` ${today.slice(0, 4)}`, ''),
    timelineEntries: its.map(({ at, ...one }) => ({ ...one, time: formatMoment(at).split(', ')[1] ?? null })),
  }));
}
