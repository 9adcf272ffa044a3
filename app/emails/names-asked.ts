import { type MailAcademy, type RenderedMail, renderMail } from './layout.tsx';
import { subjectOf } from './subject.ts';

type Props = {
  reference: string;
  title: string;
  /** The first day of the course that comes next, `13 October`. */
  starts: string;
  /** That course with its days, in words. */
  course: string;
  when: string;
  /** How many attendees have no name, and how many there are. */
  missing: number;
  all: number;
  link: string;
  academy: MailAcademy;
};

/** Asks the buyer who attends the places that have no name yet (P31). */
export function namesAsked(props: Props): RenderedMail {
  const { reference, title, starts, course, when, missing, all, link, academy } = props;
  const whose =
    all === 1
      ? 'We do not know yet who attends.'
      : missing === 1
        ? `1 of your ${all} attendees has no name yet.`
        : `${missing} of your ${all} attendees have no name yet.`;
  return renderMail({
    subject: subjectOf('Please name who attends', { title, day: starts, reference }),
    heading: 'Please tell us who attends',
    parts: [
      `${whose} Please enter ${missing === 1 ? 'the name and email address' : 'their names and email addresses'} before ${starts}.`,
      { panel: course, lines: [when] },
      { action: 'Enter who attends', href: link },
      'We then email each of them how to join. The certificate has the name that you enter.',
      { note: `If you have questions, please quote ${reference}.` },
    ],
    academy,
    reason: 'You get this because you placed this enrolment.',
  });
}
