import { href } from 'react-router';
import type { CourseDateForStaff } from '#app/features/enrolments/course-dates-for-staff.server.ts';
import { EmailText, Panel, Table, TextLink, Words } from '#app/ui/staff/typography.tsx';
import { Unbroken } from '#app/ui/staff/unbroken.tsx';
import { onTheList } from './effect-parts.tsx';
import type { Change, loadEffects } from './load-effects.server.ts';

type Props = Pick<Awaited<ReturnType<typeof loadEffects>>, 'effects' | 'chooseUntil' | 'isTaught'> & {
  change: Change;
  courseDate: CourseDateForStaff;
  /** How many on the waiting list hear of it. */
  waiting: number;
};

/** The effects of a change on each person, before it is made. */
export function Effects({ change, courseDate, effects, chooseUntil, isTaught, waiting }: Props) {
  const { held, offered } = courseDate;
  const tellsInstructor = isTaught && change !== 'confirm';
  const mails = effects.reduce((sum, { told }) => sum + told.length, 0);
  return (
    <Panel title="What it does">
      <ul className="mt-2 mb-4 grid max-w-prose list-disc gap-1 pl-5">
        {change === 'confirm' ? (
          <>
            <li>
              It runs, however many people enrol. Unpaid amounts become due, and the dated cancellation terms apply.
            </li>
            <li>
              {courseDate.sold} of at least {courseDate.minimum} have enrolled.
            </li>
          </>
        ) : change === 'cancel' ? (
          effects.length > 0 && (
            <li>
              <Unbroken
                text={`Each buyer chooses until ${chooseUntil}: another date, or a full refund. If a buyer does not answer by then, we refund everything.`}
              />
            </li>
          )
        ) : courseDate.hasBegun ? (
          <li>
            The new instructor sees this class and marks it from now on; the former one no longer does. We email
            everyone a new calendar entry and ask nothing.
          </li>
        ) : (
          effects.length > 0 && (
            <>
              <li>
                <Unbroken
                  text={`Another day, city or way to attend: we ask each buyer. They keep their place unless they choose another date or a full refund by ${chooseUntil}, or by the day before the new first day when that is earlier.`}
                />
              </li>
              <li>Another time, break or instructor: we email everyone a new calendar entry and ask nothing.</li>
              <li>Another last day of enrolment or decision day: we email nobody who has enrolled.</li>
            </>
          )
        )}
        {change === 'cancel' && <li>We sell no more seats. The calendar shows it as cancelled.</li>}
        {change === 'cancel' && held + offered > 0 && (
          <li>
            {held + offered} held or offered {held + offered === 1 ? 'seat is' : 'seats are'} released.
          </li>
        )}
        {change === 'cancel' && waiting > 0 && <li>{onTheList(waiting, 'hears', 'hear')} that it is cancelled.</li>}
        {change === 'move' && waiting > 0 && (
          <li>{onTheList(waiting, 'hears', 'hear')} of another day, city or way to attend.</li>
        )}
        {mails > 0 ? (
          <li>
            {change === 'move'
              ? `${mails === 1 ? '1 email address belongs' : `${mails} email addresses belong`} to this date.`
              : `We email ${mails === 1 ? '1 address' : `${mails} addresses`} of those who have enrolled.`}
          </li>
        ) : (
          waiting === 0 && !tellsInstructor && <li>We email nobody.</li>
        )}
        {tellsInstructor && (
          <li>{change === 'move' ? 'We email the instructor, and a new one too.' : 'We email the instructor.'}</li>
        )}
      </ul>
      {effects.length === 0 ? (
        <Words>{waiting === 0 ? 'Nobody has enrolled, so this affects nobody.' : 'Nobody has enrolled.'}</Words>
      ) : (
        <Table head={['Buyer', 'Who attends', 'Who we email', 'Money']} label="What changes for each person">
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
              <td>
                {told.map((address) => (
                  <p key={address}>
                    <EmailText>{address}</EmailText>
                  </p>
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
