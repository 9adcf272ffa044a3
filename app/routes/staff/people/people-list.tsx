import { href, Link } from 'react-router';
import type { PersonRow } from '#app/features/people/people-list.server.ts';
import { csvInstant } from '#app/lib/csv-cell.ts';
import { formatCents } from '#app/lib/exact-money.ts';
import { dollarsFromCents } from '#app/lib/money.ts';
import { formatMoment } from '#app/lib/short-dates.ts';
import { showControlCharacters } from '#app/lib/show-control-characters.ts';
import { defineList } from '#app/ui/staff/define-list.ts';
import { oneOf } from '#app/ui/staff/list-address.ts';

export const peopleKinds = { account: 'With an account', staff: 'Staff' } as const;

export const peopleList = defineList({
  title: 'People',
  path: href('/staff/people'),
  show: ({ id, name, email, organisation, bought, attends, owedCents, since }: PersonRow, phone: string) => ({
    id: String(id),
    name: showControlCharacters(name ?? 'No name'),
    email: showControlCharacters(email ?? ''),
    phone,
    organisation: showControlCharacters(organisation ?? ''),
    bought,
    attends,
    owed: owedCents === 0 ? '0' : formatCents(owedCents),
    owes: owedCents > 0,
    since: formatMoment(since),
  }),
  usual: 'newest',
  filters: { kind: oneOf(peopleKinds) },
  columns: {
    name: {
      title: 'Name',
      cell: ({ id, name }) => (
        <Link to={href('/staff/people/:id', { id })} className="font-semibold hover:underline">
          {name}
        </Link>
      ),
      cut: ({ name }) => name,
      csv: ({ name }) => name,
      width: 'sm:w-[22%]',
    },
    address: {
      title: 'Email',
      cell: ({ email }) => email,
      cut: ({ email }) => email,
      csv: ({ email }) => email,
      sort: { name: 'address', kind: 'text', descending: false },
      width: 'sm:w-[30%]',
    },
    phone: { title: 'Phone', cell: ({ phone }) => phone, csv: ({ phone }) => phone, width: 'sm:w-28' },
    organisation: {
      title: 'Organisation',
      cell: ({ organisation }) => organisation,
      cut: ({ organisation }) => organisation,
      csv: ({ organisation }) => organisation,
      width: 'sm:w-[24%]',
    },
    bought: {
      title: 'Enrolments',
      cell: ({ bought }) => bought,
      csv: ({ bought }) => bought,
      right: true,
      width: 'sm:w-20',
    },
    attends: {
      title: 'Places',
      cell: ({ attends }) => attends,
      csv: ({ attends }) => attends,
      right: true,
      width: 'sm:w-16',
      wide: true,
    },
    owed: {
      title: 'Owed, AU$',
      cell: ({ owed, owes }) => <span className={owes ? 'font-semibold' : 'text-mute'}>{owed}</span>,
      csv: ({ owedCents }) => dollarsFromCents(owedCents),
      right: true,
      width: 'sm:w-24',
    },
    since: {
      title: 'First seen',
      cell: ({ since }) => <span className="text-sm text-mute">{since}</span>,
      csv: ({ since }) => csvInstant(since),
      sort: { name: 'newest', kind: 'whole', descending: true },
      right: true,
      wide: true,
      width: 'sm:w-44',
    },
  },
});
