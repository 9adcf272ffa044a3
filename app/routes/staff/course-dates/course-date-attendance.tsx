import { href } from 'react-router';
import { type Day, formatDay, shortWeekday } from '#app/lib/dates.ts';
import { Sign } from '#app/ui/sign.tsx';
import { OnlyWith } from '#app/ui/staff/act-form.tsx';
import { Section } from '#app/ui/staff/page-head.tsx';
import { ActLink, EmailText, FileLink, Sideways, TextLink, Words } from '#app/ui/staff/typography.tsx';
import type { Route } from './+types/course-date';

type Data = Route.ComponentProps['loaderData'];
type Props = {
  slug: string;
  /** The initial values of the form to enrol by hand; null when the date takes no enrolments. */
  enrol: string | null;
  attendees: NonNullable<Data['attendees']>;
  days: Data['days'];
  /** Whether it was cancelled: then it has no page of the class. */
  cancelled: boolean;
  today: string;
  owes: boolean;
  mayDownload: boolean;
};

const DayHead = ({ day }: { day: Day }) => (
  <>
    <span aria-hidden="true">{`${shortWeekday(day)} ${Number(day.slice(8))}`}</span>
    <span className="sr-only">{formatDay(day)}</span>
  </>
);

/** The attendees with their marks of each day and the balance of their enrolments. */
export function PeopleAndAttendance({ slug, enrol, attendees, days, cancelled, today, owes, mayDownload }: Props) {
  return (
    <Section
      id="who-attends"
      title={`Who attends (${attendees.length})`}
      end={
        <span className="flex gap-4">
          {enrol && (
            <OnlyWith permission="enrolments:change">
              <ActLink to={`${href('/staff/enrolments/new')}?item=${enrol}`}>Enrol by hand</ActLink>
            </OnlyWith>
          )}
          {mayDownload && (
            <FileLink to={`${href('/staff/:list.csv', { list: 'attendees' })}?date=${slug}`}>CSV</FileLink>
          )}
        </span>
      }
    >
      {attendees.length === 0 ? (
        <Words>Nobody has enrolled yet.</Words>
      ) : (
        <Sideways>
          <table aria-label="Who attends" className="tabular w-full min-w-[44rem] border-collapse text-left">
            <thead>
              <tr className="border-b border-rule text-xs text-mute [&>th]:h-9 [&>th]:pr-3 [&>th]:font-medium [&>th:last-child]:pr-0">
                <th scope="col">Name</th>
                <th scope="col">From</th>
                <th scope="col">Notes</th>
                {days.map((day) => (
                  <th
                    key={day}
                    scope="col"
                    aria-current={day === today ? 'date' : undefined}
                    className="text-center aria-[current=date]:bg-tint aria-[current=date]:font-bold"
                  >
                    {cancelled ? (
                      <DayHead day={day} />
                    ) : (
                      <TextLink to={`${href('/staff/classes/:slug', { slug })}?day=${day}`}>
                        <DayHead day={day} />
                      </TextLink>
                    )}
                  </th>
                ))}
                {owes && (
                  <th scope="col" className="text-right">
                    Owed, AU$
                  </th>
                )}
              </tr>
            </thead>
            <tbody>
              {attendees.map(({ id, name, email, buyer, reference, notes, marks, owed }) => (
                <tr
                  key={id}
                  className="border-b border-line hover:bg-hover [&>td]:h-10 [&>td]:py-1 [&>td]:pr-3 [&>td:last-child]:pr-0"
                >
                  <td>
                    <b className="font-semibold wrap-anywhere">{name || 'To be named'}</b>
                    {email && (
                      <div className="text-sm text-mute">
                        <EmailText>{email}</EmailText>
                      </div>
                    )}
                  </td>
                  <td>
                    <span className="text-mute wrap-anywhere">{buyer}</span>{' '}
                    {reference && (
                      <div className="text-sm">
                        <TextLink to={href('/staff/enrolments/:reference', { reference })}>{reference}</TextLink>
                      </div>
                    )}
                  </td>
                  <td className="text-sm wrap-break-word">
                    {notes.map((note) => (
                      <p key={note}>{note}</p>
                    ))}
                  </td>
                  {days.map((day) => (
                    <td key={day} className={`text-center text-sm ${day === today ? 'bg-tint' : ''}`}>
                      <Mark text={marks.find((one) => one.day === day)?.text ?? ''} />
                    </td>
                  ))}
                  {owes && <td className="text-right font-semibold whitespace-nowrap text-fault">{owed}</td>}
                </tr>
              ))}
            </tbody>
          </table>
        </Sideways>
      )}
    </Section>
  );
}

function Mark({ text }: { text: string }) {
  if (text === 'here') {
    return (
      <>
        <Sign name="check" className="mx-auto size-4" />
        <span className="sr-only">here</span>
      </>
    );
  }
  if (text === 'open') {
    return (
      <>
        <svg aria-hidden="true" viewBox="0 0 16 16" className="mx-auto size-4 fill-none stroke-edge">
          <rect x="2" y="2" width="12" height="12" rx="3" />
        </svg>
        <span className="sr-only">not marked</span>
      </>
    );
  }
  return <span className={text === 'away' ? 'font-semibold text-fault' : 'text-mute'}>{text}</span>;
}
