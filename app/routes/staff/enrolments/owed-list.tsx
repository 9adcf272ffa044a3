import { href } from 'react-router';
import type { Band, Owed } from '#app/features/enrolments/owed.server.ts';
import { type Day, daysBetween } from '#app/lib/dates.ts';
import { formatCents } from '#app/lib/exact-money.ts';
import { shortDate, shortDay } from '#app/lib/short-dates.ts';
import { nameWithin } from '#app/lib/short-name.ts';
import { showControlCharacters } from '#app/lib/show-control-characters.ts';
import { OnlyWith } from '#app/ui/staff/act-form.tsx';
import { defineList } from '#app/ui/staff/define-list.ts';
import { oneOf } from '#app/ui/staff/list-address.ts';
import { ActLink, RecordLink } from '#app/ui/staff/typography.tsx';

type Late = {
  firstDay: Day | null;
  /** The next day on which the program reminds of something of the enrolment (P39); null when it does not. */
  remindsOn: Day | null;
  /** Whether only what we keep of cancelled places is late, of which the program never reminds. */
  onlyKept: boolean;
  undelivered: boolean;
};

/** The next step for an open payment: a reminder by the program, or a call by staff once it sends no more. */
export function nextStep({ firstDay, remindsOn, onlyKept, undelivered }: Late, today: Day): string {
  if (undelivered) return 'Call: the last reminder did not arrive';
  if (remindsOn !== null) return `We remind on ${shortDay(remindsOn)}`;
  if (onlyKept) return 'Call: their places are cancelled';
  if (firstDay !== null && firstDay <= today) {
    return 'Call: the course has begun';
  }
  if (firstDay !== null && daysBetween(today, firstDay) <= 7) {
    return `Call before ${shortDay(firstDay)}, when it begins`;
  }
  return 'Call, agree on instalments or cancel';
}

/** Of a course's title. */
const mostTitle = 30;

/** When something is due, in the order of the tabs. */
export const bands: Readonly<Record<Band, string>> = {
  long: 'Over 14 days late',
  late: '1 to 14 days late',
  week: 'Due this week',
  later: 'Due later',
};

/** What is long takes two lines. */
const wrapped = 'sm:whitespace-normal';

/** Everybody who owes something that is due on a day, with what to do about it. */
export const owedList = defineList({
  title: 'Who owes',
  path: href('/staff/owed'),
  show(row: Owed, today: Day) {
    const days = daysBetween(row.dueOn, today);
    const begins = row.firstDay && (row.firstDay > today ? 'begins' : 'began');
    return {
      reference: row.reference,
      days,
      due: days > 0 ? `${days} ${days === 1 ? 'day' : 'days'} late` : shortDay(row.dueOn),
      since: `${row.inInstalments ? 'Instalment of' : 'Due'} ${shortDay(row.dueOn)}`,
      buyer: showControlCharacters(row.organisation ?? row.buyer),
      course: `${nameWithin(row.title, mostTitle)}${begins ? `, ${begins} ${shortDate(row.firstDay ?? '').replace(` ${today.slice(0, 4)}`, '')}` : ''}`,
      title: row.title,
      phone: row.phone,
      late: row.lateCents === 0 ? '' : formatCents(row.lateCents),
      owed: formatCents(row.balanceCents),
      reminded: row.reminded.map((on) => shortDate(on).replace(` ${today.slice(0, 4)}`, '')).join(', '),
      remindedToday: row.reminded[0] === today,
      undelivered: row.undelivered,
      next: nextStep(row, today),
    };
  },
  usual: 'due',
  filters: { due: oneOf(bands) },
  columns: {
    due: {
      title: 'Due',
      cell: ({ due, days, since }) => (
        <span title={since} className={days > 14 ? 'font-semibold text-fault' : days > 0 ? 'font-semibold' : ''}>
          {due}
        </span>
      ),
      csv: ({ dueOn }) => dueOn,
      sort: { name: 'due', kind: 'day', descending: false },
      width: 'sm:w-23',
    },
    buyer: {
      title: 'Who',
      cell: ({ reference, buyer, course }) => (
        <span className={wrapped}>
          <RecordLink to={href('/staff/enrolments/:reference', { reference })}>{buyer}</RecordLink>{' '}
          <span className="text-mute sm:max-lg:hidden">{course}</span>
        </span>
      ),
      cut: ({ buyer, title }) => `${buyer}, ${title}`,
      csv: {
        Reference: ({ reference }) => reference,
        Buyer: ({ buyer }) => buyer,
        Organisation: ({ organisation }) => organisation,
        Course: ({ title }) => title,
        Begins: ({ firstDay }) => firstDay,
      },
    },
    phone: {
      title: 'Phone',
      cell: ({ phone }) => phone && <a href={`tel:${phone.replaceAll(' ', '')}`}>{phone}</a>,
      csv: ({ phone }) => phone,
      width: 'sm:w-26',
    },
    late: {
      title: 'Late, AU$',
      cell: ({ late }) => late,
      csv: ({ lateCents }) => ({ cents: lateCents }),
      right: true,
      width: 'sm:w-20',
    },
    owed: {
      title: 'Owed, AU$',
      cell: ({ owed }) => <span className="text-mute">{owed}</span>,
      csv: {
        'Owed, AU$': ({ balanceCents }) => ({ cents: balanceCents }),
        'In instalments': ({ inInstalments }) => (inInstalments ? 'yes' : 'no'),
      },
      sort: { name: 'owed', kind: 'whole', descending: true },
      right: true,
      width: 'sm:w-24',
      wide: true,
    },
    reminded: {
      title: 'Reminded',
      cell: ({ reminded, undelivered }) => (
        <span className={undelivered ? 'text-fault' : 'text-mute'}>{reminded || 'not yet'}</span>
      ),
      cut: ({ reminded }) => reminded,
      csv: {
        Reminded: ({ reminded }) => reminded.join(' '),
        'Last reminder came back': ({ undelivered }) => (undelivered ? 'yes' : 'no'),
      },
      width: 'sm:w-36',
      wide: true,
    },
    next: {
      title: 'What comes next',
      cell: ({ next }) => <span className={wrapped}>{next}</span>,
      cut: ({ next }) => next,
      csv: {},
      width: 'sm:w-46 lg:w-64',
    },
    remind: {
      title: 'Remind',
      cell: ({ reference, buyer, remindedToday }) =>
        !remindedToday && (
          <OnlyWith permission="enrolments:change">
            <ActLink to={href('/staff/enrolments/:reference/remind', { reference })}>
              Remind<span className="sr-only"> {buyer}</span>
            </ActLink>
          </OnlyWith>
        ),
      csv: {},
      right: true,
      width: 'sm:w-16',
    },
  },
});
