import { redirect } from 'react-router';
import { changesInWords, detailsInWords } from '#app/audit/details-in-words.ts';
import type { TraceEntry } from '#app/audit/trace.server.ts';
import {
  type CourseDateAttendee,
  findCourseDate,
  mayDownloadAttendees,
  readAttendees,
} from '#app/features/enrolments/course-dates-for-staff.server.ts';
import { everyEnrolment, theseEnrolments } from '#app/features/enrolments/enrolment-list.server.ts';
import { mayReadNeeds } from '#app/features/enrolments/needs.server.ts';
import { everyOwed } from '#app/features/enrolments/owed.server.ts';
import { everyWaitingEntry, type WaitingRow } from '#app/features/enrolments/waiting/queries.server.ts';
import { venueText } from '#app/features/enrolments/waiting/rules.ts';
import { everyEnquiry, type listInbox } from '#app/features/inbox/enquiries/inbox.server.ts';
import { inbox, kindLabels } from '#app/features/inbox/enquiries/inbox.ts';
import { everyFailedMail, mostInFile } from '#app/features/inbox/mail.server.ts';
import { everyOddPayment } from '#app/features/money/money-page.server.ts';
import { everyPayment } from '#app/features/money/payment-list.server.ts';
import type { OddPayment } from '#app/features/money/payments-to-review.server.ts';
import { actionInWords } from '#app/features/people/action-words.ts';
import type { StaffActor } from '#app/features/people/actor.ts';
import { everyPerson, thesePeople } from '#app/features/people/people-list.server.ts';
import { staffFor } from '#app/features/people/staff-only.server.ts';
import { everyEntryForStaff, readTraceForStaff } from '#app/features/reports/trace.server.ts';
import { everyCertificate } from '#app/features/study/certificates/staff-list.server.ts';
import { momentOf } from '#app/http/academy.server.ts';
import { unlessDatabaseAway } from '#app/http/database-away.server.ts';
import { type CsvColumns, csvInstant } from '#app/lib/csv-cell.ts';
import { dayOf } from '#app/lib/day-text.ts';
import { dollarsFromCents } from '#app/lib/money.ts';
import { type FailedMail, failedSince } from '#app/outbox/failed-mail.server.ts';
import { moneyFiles } from '#app/routes/staff/accountant/money-files.server.ts';
import { certificateList } from '#app/routes/staff/certificates/certificate-list.tsx';
import { courseDateList } from '#app/routes/staff/course-dates/course-date-list.tsx';
import { everyCourseDate } from '#app/routes/staff/course-dates/list-course-dates.server.ts';
import { enrolmentList } from '#app/routes/staff/enrolments/enrolment-list.tsx';
import { owedList } from '#app/routes/staff/enrolments/owed-list.tsx';
import { paymentList } from '#app/routes/staff/payments/payment-list.tsx';
import { oddities } from '#app/routes/staff/payments/shown-money.server.ts';
import { peopleList } from '#app/routes/staff/people/people-list.tsx';
import { traceFilterOf, traceQueryOf } from '#app/routes/staff/trace/trace-filter.ts';
import { chosenRowsIn } from './chosen-rows.ts';
import { type CsvFiles, csvFile, csvResponse, csvText, notFound, recordExport } from './csv-file.server.ts';

/** The rows that were ticked, where the list sent them with its boxes. */
const chosenIn = (params: URLSearchParams) => (params.has('shown') ? chosenRowsIn(params) : null);

/**
 * The file of each list by its name in the address: the rows that the address shows, or those that were ticked. A list
 * with a table has the columns of its definition, the others have them here.
 */
const listFiles: CsvFiles = {
  certificates: {
    needs: 'lists:export',
    async read({ academy, actor, params }) {
      const view = certificateList.viewOf(params);
      return csvFile(academy, actor, {
        list: 'certificates',
        columns: certificateList.csvOf(view),
        pieces: everyCertificate(academy.db, actor, view, momentOf(academy)),
        filters: certificateList.queryOf(view).toString(),
      });
    },
  },

  /** The attendees of the course date that `date` names by its slug. */
  attendees: {
    needs: 'attendees:read',
    async read({ academy, actor, params, context }) {
      if (!mayDownloadAttendees(actor)) staffFor(context, 'lists:export');
      const slug = params.get('date') ?? '';
      const { today } = momentOf(academy);
      const text = await unlessDatabaseAway(async () => {
        const courseDate = await findCourseDate(academy.db, actor, slug, today);
        if (!courseDate) return null;
        const attendees = await readAttendees(academy.db, actor, courseDate.id);
        const filters = new URLSearchParams({ date: courseDate.slug }).toString();
        await recordExport(academy, actor, { list: 'attendees', rows: attendees.length, filters });
        return csvText(attendeeColumns(actor), attendees);
      });
      return text === null ? notFound() : csvResponse(text, `attendees-${slug}`);
    },
  },

  enquiries: {
    needs: 'lists:export',
    async read({ academy, actor, params }) {
      type Row = Awaited<ReturnType<typeof listInbox>>['page'][number];
      const view = inbox.viewOf(params);
      return csvFile<Row>(academy, actor, {
        list: 'enquiries',
        columns: {
          Reference: ({ reference }) => reference,
          Kind: ({ kind }) => kindLabels[kind],
          'First name': ({ first_name }) => first_name,
          'Last name': ({ last_name }) => last_name,
          Email: ({ email }) => email,
          Beginning: ({ beginning }) => beginning,
          Status: ({ state }) => state,
          Sent: ({ created_at }) => csvInstant(created_at),
          'Handled by': ({ state_by }) => state_by,
        },
        pieces: everyEnquiry(academy.db, actor, view),
        filters: inbox.queryOf(view).toString(),
      });
    },
  },

  enrolments: {
    needs: 'lists:export',
    async read({ academy, actor, params }) {
      const { today } = momentOf(academy);
      const chosen = chosenIn(params);
      const view = enrolmentList.viewOf(chosen ? new URLSearchParams(chosen.list) : params);
      const rows = chosen?.all === false ? chosen : null;
      if (rows?.rows.length === 0) throw redirect(enrolmentList.to(view, {}));
      return csvFile(academy, actor, {
        list: 'enrolments',
        columns: enrolmentList.csvOf(view),
        pieces: rows
          ? theseEnrolments(academy.db, actor, rows.rows, today)
          : everyEnrolment(academy.db, actor, view, today),
        filters: rows ? 'chosen' : enrolmentList.queryOf(view).toString(),
      });
    },
  },

  mail: {
    needs: 'lists:export',
    async read({ academy, actor, params }) {
      const day = dayOf(params.get('since') ?? '');
      const since = day === null ? null : failedSince(day);
      return csvFile<FailedMail>(academy, actor, {
        list: 'mail',
        columns: {
          To: ({ to }) => to,
          Subject: ({ subject }) => subject,
          Kind: ({ kind }) => kind,
          Queued: ({ queuedAt }) => csvInstant(queuedAt),
          Failed: ({ failedAt }) => failedAt && csvInstant(failedAt),
          Tries: ({ attempts }) => attempts,
          Answer: ({ reason }) => reason,
        },
        pieces: everyFailedMail(academy.db, actor, { since, now: academy.clock.now() }),
        filters: day ? `since=${day}` : '',
        most: mostInFile,
      });
    },
  },

  owed: {
    needs: 'lists:export',
    async read({ academy, actor, params }) {
      const view = owedList.viewOf(params);
      return csvFile(academy, actor, {
        list: 'owed',
        columns: owedList.csvOf(view),
        pieces: everyOwed(academy.db, actor, view, momentOf(academy).today),
        filters: owedList.queryOf(view).toString(),
      });
    },
  },

  /** All payments where the address says so, else those to look at. */
  payments: {
    needs: 'lists:export',
    async read({ academy, actor, params }) {
      const view = paymentList.viewOf(params);
      if (view.values.show === 'all') {
        return csvFile(academy, actor, {
          list: 'payments',
          columns: paymentList.csvOf(view),
          pieces: everyPayment(academy.db, actor, view, momentOf(academy).today),
          filters: paymentList.queryOf(view).toString(),
        });
      }
      return csvFile<OddPayment>(academy, actor, {
        list: 'payments',
        columns: {
          Received: ({ receivedOn }) => receivedOn,
          Currency: ({ currency }) => currency,
          Amount: ({ amountCents }) => ({ cents: amountCents }),
          Words: ({ words }) => words,
          Enrolment: ({ reference }) => reference,
          'Owed now, AU$': ({ reference, balanceCents }) =>
            reference === null ? null : dollarsFromCents(balanceCents),
          Why: ({ why }) => why.map((name) => oddities[name]).join(', '),
        },
        pieces: everyOddPayment(academy.db, actor, academy.clock.now()),
        filters: '',
      });
    },
  },

  people: {
    needs: 'lists:export',
    async read({ academy, actor, params }) {
      const view = peopleList.viewOf(params);
      const chosen = chosenIn(params);
      if (chosen && (chosen.all || chosen.rows.length === 0)) throw redirect(`${peopleList.path}?${chosen.list}`);
      return csvFile(academy, actor, {
        list: 'people',
        columns: peopleList.csvOf(view),
        pieces: chosen ? thesePeople(academy.db, actor, chosen.rows) : everyPerson(academy.db, actor, view),
        filters: chosen ? 'chosen' : peopleList.queryOf(view).toString(),
      });
    },
  },

  'course-dates': {
    needs: 'lists:export',
    async read({ academy, actor, params }) {
      const view = courseDateList.viewOf(params);
      return csvFile(academy, actor, {
        list: 'course-dates',
        columns: courseDateList.csvOf(view),
        pieces: everyCourseDate(academy.db, actor, view, momentOf(academy).today),
        filters: courseDateList.queryOf(view).toString(),
      });
    },
  },

  trace: {
    needs: 'lists:export',
    async read({ academy, actor, params }) {
      const filter = traceFilterOf(params);
      // What is in no entry is not a reference but something that a person typed, which the trace would keep for good.
      const [known] = await unlessDatabaseAway(() =>
        readTraceForStaff(academy.db, actor, filter, { before: null, limit: 1 }),
      );
      return csvFile<TraceEntry>(academy, actor, {
        list: 'trace',
        columns: {
          When: ({ at }) => csvInstant(at),
          Who: ({ by }) => by ?? 'The program',
          What: ({ action }) => action,
          'In words': ({ action }) => actionInWords(action),
          About: ({ subject }) => subject,
          Details: ({ details }) => detailsInWords(details),
          Changes: ({ changes }) => changesInWords(changes).join('; '),
        },
        pieces: everyEntryForStaff(academy.db, actor, filter),
        filters: traceQueryOf(known ? filter : { ...filter, about: null }).toString(),
      });
    },
  },

  waiting: {
    needs: 'lists:export',
    async read({ academy, actor, params }) {
      const chosen = chosenRowsIn(params);
      const only = chosen.all || chosen.rows.length === 0 ? null : chosen.rows;
      return csvFile<WaitingRow>(academy, actor, {
        list: 'waiting',
        columns: {
          Course: ({ title }) => title,
          'First day': ({ startsOn }) => startsOn ?? 'The next date',
          Number: ({ reference }) => reference,
          Name: ({ name }) => name,
          Email: ({ email }) => email,
          Seats: ({ seats }) => seats,
          Weeks: ({ weeks }) => weeks.join(' '),
          Place: ({ venue }) => venue && venueText(venue),
          Joined: ({ joinedAt }) => csvInstant(joinedAt),
          Confirmed: ({ confirmed }) => (confirmed ? 'yes' : 'no'),
          Offered: ({ offered }) => (offered ? 'yes' : 'no'),
        },
        pieces: everyWaitingEntry(academy.db, actor, only),
        filters: only ? 'chosen' : '',
      });
    },
  },
};

const ofAttendees: CsvColumns<CourseDateAttendee> = {
  Name: ({ name }) => name ?? 'to be named',
  Email: ({ email }) => email,
};
const ofNeeds: CsvColumns<CourseDateAttendee> = {
  Needs: ({ needs }) => needs,
  'Under 18': ({ under_18 }) => (under_18 ? 'yes' : ''),
  Guardian: ({ guardian_name }) => guardian_name,
  'Guardian’s email': ({ guardian_email }) => guardian_email,
};
const ofEnrolments: CsvColumns<CourseDateAttendee> = {
  Enrolment: ({ reference }) => reference,
  Buyer: ({ buyer_name }) => buyer_name,
  Organisation: ({ organisation }) => organisation,
  'Buyer’s email': ({ buyer_email }) => buyer_email,
  Phone: ({ phone }) => phone,
};

/**
 * Who bought is for those who may read enrolments (P68); needs and guardians are for those who teach and those who
 * enrol.
 */
const attendeeColumns = (actor: StaffActor): CsvColumns<CourseDateAttendee> => ({
  ...ofAttendees,
  ...(mayReadNeeds(actor) ? ofNeeds : {}),
  ...(actor.can.has('enrolments:read') ? ofEnrolments : {}),
});

/** Every file of rows for staff, by its name in the address. */
export const csvFiles: CsvFiles = { ...listFiles, ...moneyFiles };
