import type { ReactNode } from 'react';
import { href, Link } from 'react-router';
import type { CourseDateForStaff } from '#app/features/enrolments/course-dates-for-staff.server.ts';
import type { FormState } from '#app/ui/form-state.ts';
import { ErrorSummary } from '#app/ui/form-summary.tsx';
import { WhoMay } from '#app/ui/staff/act-form.tsx';
import { actButton } from '#app/ui/staff/button.ts';
import { Tabs } from '#app/ui/staff/page-head.tsx';
import { Straws } from '#app/ui/staff/straws.tsx';
import { Back } from '#app/ui/staff/typography.tsx';
import { courseDateLabels } from './course-date-labels.ts';

/** What the buttons of the three pages begin with. */
export const changeButtons = {
  confirm: 'Confirm the course date',
  move: 'Change the course date',
  cancel: 'Cancel the course date',
} as const;

/** What a link to the change of a course date says: once it has begun, only its instructor changes (P59). */
export const changeText = (hasBegun: boolean): string => (hasBegun ? 'Change the instructor' : 'Change it');

type ChangeName = keyof typeof changeButtons;
type Props = {
  change: ChangeName;
  title: string;
  courseDate: CourseDateForStaff;
  form: FormState;
  /** Why the change cannot be made at all now: shown instead of its form. */
  refused?: string | null;
  children: ReactNode;
};

/** The common head of the pages that confirm, move and cancel a course date, with links to all three. */
export function ChangeFrame({ change, title, courseDate, form, refused = null, children }: Props) {
  const { slug, state, hasBegun, sold, held, offered, capacity, minimum } = courseDate;
  const to = (name: 'confirm' | 'cancel') => href('/staff/course-dates/:slug/:change', { slug, change: name });
  const tabs = [
    ...(state === 'tentative' ? [{ name: 'confirm', to: to('confirm'), text: `Run it with ${sold}` }] : []),
    { name: 'move', to: href('/staff/course-dates/:slug/move', { slug }), text: changeText(hasBegun) },
    { name: 'cancel', to: to('cancel'), text: 'Cancel it' },
  ];
  return (
    <>
      <Back to={href('/staff/course-dates/:slug', { slug })}>{courseDate.title}</Back>
      <div className="mb-4 flex flex-wrap items-start justify-between gap-x-8 gap-y-2">
        <div>
          <h1 className="text-2xl">{title}</h1>
          <p className="tabular mt-1">
            {courseDate.title}, {courseDate.days}, {courseDate.where}
          </p>
          <p className="mt-1 text-mute">
            {`${sold} of ${capacity} seats sold, minimum ${minimum}.`}
            {refused === null && ` Nothing is saved or sent until you press “${changeButtons[change]}”.`}
          </p>
        </div>
        <Straws sold={sold} held={held + offered} total={capacity} minimum={minimum} large />
      </div>
      <Tabs label="What to do" tabs={tabs.map(({ name, ...tab }) => ({ ...tab, current: name === change }))} />
      <WhoMay needs="course-dates:change" />
      <ErrorSummary form={form} labels={courseDateLabels} formId="change-form" />
      {refused === null ? (
        children
      ) : (
        <>
          <p className="mb-4 font-semibold text-fault">{refused}</p>
          <Link to={href('/staff/course-dates/:slug', { slug })} className={actButton.quiet}>
            Back to the course date
          </Link>
        </>
      )}
    </>
  );
}
