import { Link } from 'react-router';
import type { FormState } from '#app/ui/form-state.ts';
import { NoteField, OwnNote, type ShownNote } from '#app/ui/staff/notes.tsx';
import { Section } from '#app/ui/staff/page-head.tsx';
import { Timeline, type TimelineDay, TimelineFilter } from '#app/ui/staff/timeline.tsx';

type Props = {
  data: {
    query: string;
    who: 'buyer' | 'staff' | 'program' | null;
    count: number;
    hidden: number;
    days: readonly TimelineDay[];
    notes: readonly ShownNote[];
  };
  form: FormState;
};

const names = [
  ['buyer', 'Buyer'],
  ['staff', 'Staff'],
  ['program', 'Program'],
] as const;

/** The timeline of buyer, staff and program, latest first, with the field for a note. */
export function HappeningsSection({ data: { query, who, count, hidden, days, notes }, form }: Props) {
  const to = (name: string, value: string | null) => {
    const params = new URLSearchParams(query);
    if (value === null) params.delete(name);
    else params.set(name, value);
    return `?${params}`;
  };
  return (
    <Section
      title="What happened"
      id="happened"
      end={
        <TimelineFilter
          all={{ to: to('who', null), count }}
          each={names.map(([one, text]) => ({ who: one, text, to: to('who', one) }))}
          shown={who}
        />
      }
    >
      <NoteField key={`${form.values.seen} ${count}`} form={form} />
      <Timeline
        days={days}
        none="Nothing of this kind has happened yet."
        below={(key) => {
          const note = notes.find(({ id }) => key === `note-${id}`);
          return note && <OwnNote note={note} form={form} />;
        }}
      />
      {hidden > 0 && (
        <p className="mt-2 ml-26">
          <Link to={to('all', '1')} className="font-semibold text-link hover:underline" preventScrollReset>
            Show {hidden} earlier
          </Link>
        </p>
      )}
    </Section>
  );
}
