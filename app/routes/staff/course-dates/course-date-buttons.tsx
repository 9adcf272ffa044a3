import { href, Link } from 'react-router';
import type { CourseDateForStaff } from '#app/features/enrolments/course-dates-for-staff.server.ts';
import { button } from '#app/ui/button.ts';
import { OnlyWith } from '#app/ui/staff/act-form.tsx';
import { DropMenu } from '#app/ui/staff/drop-menu.tsx';
import { changeText } from './change-frame.tsx';

type Props = { courseDate: CourseDateForStaff; mayChange: boolean; peopleCount: number };

/** The acts on a course date, most used first; acts that cannot be taken back come last. */
export function CourseDateActs({ courseDate, mayChange, peopleCount }: Props) {
  const { slug, state, standing, hasBegun, onlyFor } = courseDate;
  const open = state !== 'cancelled';
  const ahead = open && standing !== 'done' && mayChange;
  return (
    <>
      {mayChange && state === 'tentative' && (ahead || peopleCount > 0) && (
        <Link to={href('/staff/course-dates/:slug/:change', { slug, change: 'confirm' })} className={button.primary}>
          Confirm it
        </Link>
      )}
      {onlyFor && standing === 'open' && (
        <OnlyWith permission="companies:change">
          <Link to={quoteFor(courseDate, onlyFor.id)} className={button.quiet}>
            Make a quote for it
          </Link>
        </OnlyWith>
      )}
      {open && (
        <OnlyWith permission="attendees:read">
          {peopleCount > 0 && (
            <Link to={href('/staff/classes/:slug', { slug })} className={button.quiet}>
              Attendance
            </Link>
          )}
          <DropMenu
            button="Print"
            label="Print"
            className={`${button.quiet} cursor-pointer`}
            float="right-0 mt-1 p-1.5"
          >
            <ul className="w-max">
              {sheets(slug).map(({ to, text }) => (
                <li key={to}>
                  <Link to={to} className="flex min-h-9 items-center rounded-control px-3 hover:bg-hover">
                    {text}
                  </Link>
                </li>
              ))}
            </ul>
          </DropMenu>
        </OnlyWith>
      )}
      {peopleCount > 0 && (
        <OnlyWith permission="mail:send">
          <Link
            to={`${href('/staff/bulk-actions/message/:list', { list: 'course-dates' })}?row=${slug}`}
            className={button.quiet}
          >
            Write to {peopleCount === 1 ? '1 person' : `${peopleCount} people`}
          </Link>
        </OnlyWith>
      )}
      {open && (
        <OnlyWith permission="certificates:issue">
          <Link to={href('/staff/course-dates/:slug/certificates', { slug })} className={button.quiet}>
            Certificates
          </Link>
        </OnlyWith>
      )}
      {mayChange && onlyFor === null && (
        <Link to={`${href('/staff/course-dates/series')}?like=${slug}`} className={button.quiet}>
          Duplicate
        </Link>
      )}
      {ahead && (
        <Link to={href('/staff/course-dates/:slug/move', { slug })} className={button.quiet}>
          {changeText(hasBegun)}
        </Link>
      )}
      {ahead && (
        <Link to={href('/staff/course-dates/:slug/:change', { slug, change: 'cancel' })} className={quiet}>
          Cancel it
        </Link>
      )}
    </>
  );
}

/** The form of a quote for the people of an organisation, with the date filled in (P114). */
const quoteFor = ({ id, courseSlug, minimum }: CourseDateForStaff, organisation: number): string =>
  `${href('/staff/offers/new')}?${new URLSearchParams({
    item: `course:${courseSlug}`,
    organisation: String(organisation),
    date: String(id),
    people: String(minimum),
  })}`;

const quiet =
  'inline-flex min-h-8 items-center px-2 text-sm text-mute underline-offset-3 hover:text-fault hover:underline';

const sheets = (slug: string) => [
  { to: href('/staff/course-dates/:slug/sheet', { slug }), text: 'Attendance sheet' },
  { to: href('/staff/course-dates/:slug/name-cards', { slug }), text: 'Name cards' },
  { to: href('/staff/course-dates/:slug/attendees', { slug }), text: 'List with phone numbers and needs' },
];
