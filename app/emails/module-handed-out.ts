import { type MailAcademy, type RenderedMail, renderMail } from './layout.tsx';
import { subjectOf } from './subject.ts';

type Props = {
  /** Of the enrolment. */
  reference: string;
  course: string;
  /** Number and title, such as `4. Analysis`. */
  module: string;
  /** False while the invoice for the place is overdue. */
  opened: boolean;
  /** The attendee's page, which leads to the module. */
  link: string;
  academy: MailAcademy;
};

/** Tells a learner that the module they asked for is there (P105). */
export function moduleHandedOut({ reference, course, module, opened, link, academy }: Props): RenderedMail {
  return renderMail({
    subject: subjectOf('Your module is here', { title: course, reference }),
    heading: 'Your module is here',
    parts: [
      opened
        ? 'Your instructor has handed out the module you asked for. It is open now.'
        : 'Your instructor has handed out the module you asked for. You can open it once the overdue invoice for your place is paid.',
      {
        facts: [
          ['Course', course],
          ['Module', module],
        ],
      },
      { action: 'See your modules', href: link },
    ],
    academy,
    reason: 'You get this because you asked for a module of a course you study with us.',
  });
}
