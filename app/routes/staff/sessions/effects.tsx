import { href } from 'react-router';
import { Panel, Table, TextLink, Words } from '#app/ui/staff/parts.tsx';
import type { Change, loadEffects } from './load-effects.server.ts';
import type { SessionForStaff } from './sessions.server.ts';

type Props = Awaited<ReturnType<typeof loadEffects>> & { change: Change; session: SessionForStaff };

/** Which training session it is, in a line. */
export function SessionLine({ session }: { session: SessionForStaff }) {
  return (
    <span className="tabular">
      {session.title}, {session.days}, {session.where}
    </span>
  );
}

/** What a change does to each person, before it is done. */
export function Effects({ change, session, effects, chooseUntil }: Props) {
  const { held, offered } = session;
  const mails = effects.reduce((sum, { told }) => sum + told.length, 0);
  return (
    <Panel title="What it does">
      <ul className="mb-4 grid max-w-prose list-disc gap-1 pl-5">
        {change === 'confirm' ? (
          <>
            <li>It is held, however many enrol. What is unpaid becomes due, and cancelling follows the dated terms.</li>
            <li>
              {session.sold} of at least {session.minimum} have enrolled.
            </li>
          </>
        ) : change === 'cancel' ? (
          <li>
            Each buyer chooses until {chooseUntil}: another date, or a full refund. Whoever does not answer by then is
            refunded in full.
          </li>
        ) : (
          <>
            <li>
              Another day, city or way to attend: each buyer is asked. They keep their place unless they choose another
              date or a full refund by {chooseUntil}, or by the eve of the new first day when that is earlier.
            </li>
            <li>Another time, break or instructor: everybody is told, with a new calendar entry. Nobody is asked.</li>
            <li>Another last day of enrolment or day of decision: nobody is told.</li>
          </>
        )}
        {change === 'cancel' && <li>No more seats are sold. It stays in the calendar as cancelled.</li>}
        {change === 'cancel' && held + offered > 0 && (
          <li>
            {held + offered} held or offered {held + offered === 1 ? 'seat is' : 'seats are'} released.
          </li>
        )}
        <li>
          {mails === 0
            ? 'Nobody is told by e-mail.'
            : change === 'move'
              ? `${mails} e-mail ${mails === 1 ? 'address belongs' : 'addresses belong'} to it.`
              : `${mails} e-mail ${mails === 1 ? 'address is' : 'addresses are'} told.`}
        </li>
      </ul>
      {effects.length === 0 ? (
        <Words>Nobody has enrolled, so nobody is affected.</Words>
      ) : (
        <Table head={['Buyer', 'Who attends', 'Who is told', 'Money']} label="What it does to each person">
          {effects.map(({ reference, buyer, attendees, told, money }) => (
            <tr key={reference}>
              <td>
                <TextLink to={href('/staff/enrolments/:reference', { reference })}>{reference}</TextLink>
                <div>{buyer}</div>
              </td>
              <td>
                {attendees.map(({ id, name }) => (
                  <p key={id}>{name}</p>
                ))}
              </td>
              <td className="break-all">
                {told.map((address) => (
                  <p key={address}>{address}</p>
                ))}
              </td>
              <td>{money}</td>
            </tr>
          ))}
        </Table>
      )}
    </Panel>
  );
}
