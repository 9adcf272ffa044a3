import { href } from 'react-router';
import type { FormState } from '#app/ui/form-state.ts';
import { Sign } from '#app/ui/sign.tsx';
import { ActForm } from '#app/ui/staff/act-form.tsx';
import { FileLink, Panel, Table, TextLink, Words } from '#app/ui/staff/parts.tsx';
import type { Route } from './+types/session';

type Data = Route.ComponentProps['loaderData'];

/** Who attends, and the lists to print and to download. */
export function Attendees({ slug, attendees }: { slug: string; attendees: NonNullable<Data['attendees']> }) {
  return (
    <Panel title={`Who attends (${attendees.length})`}>
      {attendees.length === 0 ? (
        <Words>Nobody has enrolled yet.</Words>
      ) : (
        <>
          <Table head={['Name', 'Enrolment', 'Notes']} label="Who attends">
            {attendees.map(({ id, name, email, buyer, reference, notes }) => (
              <tr key={id}>
                <td>
                  <b>{name || 'To be named'}</b>
                  {email && <div className="break-all text-mute">{email}</div>}
                </td>
                <td>
                  {reference && (
                    <TextLink to={href('/staff/enrolments/:reference', { reference })}>{reference}</TextLink>
                  )}
                  <div className="text-mute">{buyer}</div>
                </td>
                <td>
                  {notes.map((note) => (
                    <p key={note}>{note}</p>
                  ))}
                </td>
              </tr>
            ))}
          </Table>
          <p className="mt-3 flex flex-wrap gap-x-6 gap-y-2 text-sm">
            <TextLink to={href('/staff/classes/:slug', { slug })}>Attendance</TextLink>
            <TextLink to={href('/staff/sessions/:slug/attendees', { slug })}>List to print</TextLink>
            <FileLink to={href('/staff/sessions/:slug/attendees.csv', { slug })}>Download as CSV</FileLink>
          </p>
        </>
      )}
    </Panel>
  );
}

/** Seats kept for somebody, with the button that gives them back. */
export function Holds({ holds, form }: { holds: Data['holds']; form: FormState }) {
  if (holds.length === 0) return null;
  return (
    <Panel title="Seats that are held">
      <ul className="overflow-hidden rounded-control border border-line bg-card">
        {holds.map(({ id, seats, what, when, releasable }) => (
          <li
            key={id}
            className="flex flex-wrap items-center justify-between gap-3 border-b border-line px-4 py-3 last:border-b-0"
          >
            <div className="min-w-0 text-sm">
              <p className="break-words font-bold">
                {seats} {seats === 1 ? 'seat' : 'seats'}. {what}
              </p>
              <p className="tabular text-mute">{when}</p>
            </div>
            {releasable && (
              <ActForm
                act="release-hold"
                id={null}
                form={form}
                needs="sessions:change"
                carries={{ hold: id }}
                className=""
                submit="Release"
              />
            )}
          </li>
        ))}
      </ul>
    </Panel>
  );
}

/** What happened to the seats, folded. */
export function Movements({ movements }: { movements: Data['movements'] }) {
  return (
    <Panel title="Seat history">
      {movements.length === 0 ? (
        <p className="text-mute">None yet.</p>
      ) : (
        <details className="group">
          <summary className="flex min-h-11 items-center gap-2 font-bold text-link">
            The latest {movements.length}, newest first
            <Sign name="down" className="size-5 shrink-0 group-open:rotate-180" />
          </summary>
          <Table head={['When', 'What', 'Seats', 'Why']} label="Seat history">
            {movements.map(({ id, at, what, seats, reference, why }) => (
              <tr key={id}>
                <td>{at}</td>
                <td>{what}</td>
                <td>{seats}</td>
                <td>
                  {reference && (
                    <TextLink to={href('/staff/enrolments/:reference', { reference })}>{reference}</TextLink>
                  )}
                  {why}
                </td>
              </tr>
            ))}
          </Table>
        </details>
      )}
    </Panel>
  );
}
