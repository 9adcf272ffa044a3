import { href, Link } from 'react-router';
import type { Certificate } from '#app/features/study/certificates/certificate.ts';
import { inFours } from '#app/features/study/certificates/number.ts';
import { academyDay } from '#app/lib/academy-day.ts';
import { csvInstant } from '#app/lib/csv-cell.ts';
import { formatMoment, shortDate } from '#app/lib/short-dates.ts';
import { nameWithin } from '#app/lib/short-name.ts';
import { showControlCharacters } from '#app/lib/show-control-characters.ts';
import { defineList } from '#app/ui/staff/define-list.ts';
import { oneOf } from '#app/ui/staff/list-address.ts';
import { StatePill } from './state-pill.tsx';

/** Of a course's title in a list. */
const mostTitle = 32;

export const certificateStates = {
  look: 'To look at',
  issued: 'Issued',
  revoked: 'Revoked',
  withdrawn: 'Withdrawn',
} as const;

export const certificateList = defineList({
  title: 'Certificates',
  path: href('/staff/certificates'),
  show: ({ number, holderName, facts, state, issuedAt }: Certificate) => ({
    number,
    name: holderName === null ? 'Erased' : showControlCharacters(holderName),
    course: nameWithin(facts.course.title, mostTitle),
    whole: facts.course.title,
    state,
    issued: shortDate(academyDay(issuedAt)),
    issuedAt: formatMoment(issuedAt),
  }),
  usual: 'issued',
  filters: { state: oneOf(certificateStates) },
  columns: {
    name: {
      title: 'Name',
      cell: ({ number, name }) => (
        <Link to={href('/staff/certificates/:number', { number })} className="font-semibold hover:underline">
          {name}
        </Link>
      ),
      cut: ({ name }) => name,
      csv: ({ holderName }) => holderName,
      width: 'sm:w-32 lg:w-auto',
    },
    course: {
      title: 'Course',
      cell: ({ course }) => course,
      cut: ({ whole }) => whole,
      csv: ({ facts }) => facts.course.title,
    },
    number: {
      title: 'Number',
      cell: ({ number }) => <span className="text-mute">{inFours(number)}</span>,
      csv: ({ number }) => inFours(number),
      width: 'sm:w-36',
    },
    state: {
      title: 'Status',
      cell: ({ state }) => <StatePill state={state} />,
      csv: ({ state }) => state,
      width: 'sm:w-24',
    },
    issued: {
      title: 'Issued',
      cell: ({ issued, issuedAt }) => (
        <span className="text-mute" title={issuedAt}>
          {issued}
        </span>
      ),
      csv: ({ issuedAt }) => csvInstant(issuedAt),
      sort: { name: 'issued', kind: 'moment', descending: true },
      right: true,
      width: 'sm:w-28',
    },
  },
});
