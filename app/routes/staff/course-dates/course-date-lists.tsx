import { href } from 'react-router';
import type { FormState } from '#app/ui/form-state.ts';
import { Sign } from '#app/ui/sign.tsx';
import { ActForm } from '#app/ui/staff/act-form.tsx';
import { Panel, Table, TextLink } from '#app/ui/staff/typography.tsx';
import type { Route } from './+types/course-date';

type Data = Route.ComponentProps['loaderData'];

/** Seats kept for somebody, with the button that gives them back. */
export function Holds({ holds, form }: { holds: Data['holds']; form: FormState }) {
  if (holds.length === 0) return null;
  return (
    <Panel title="Seats that are held">
      <ul>
        {holds.map(({ id, seats, what, when, releasable }) => (
          <li key={id} className="flex flex-wrap items-center justify-between gap-3 border-b border-line py-2">
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
                needs="course-dates:change"
                carries={{ hold: id }}
                className=""
                look="danger"
                submit="Release"
              />
            )}
          </li>
        ))}
      </ul>
    </Panel>
  );
}

/** The history of the seats, folded. */
export function Movements({ movements }: { movements: Data['movements'] }) {
  return (
    <Panel title="Seat history">
      {movements.length === 0 ? (
        <p className="text-mute">None yet.</p>
      ) : (
        <details className="group">
          <summary className="flex min-h-8 items-center gap-2 font-semibold text-link">
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
