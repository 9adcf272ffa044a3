import { type MailAcademy, type RenderedMail, renderMail } from './layout.tsx';
import { subjectOf } from './subject.ts';

type Props = {
  /** Of the enrolment. */
  reference: string;
  course: string;
  /** Number and title, such as `4. Analysis`. */
  module: string;
  accepted: boolean;
  /** The instructor's words; '' for none. */
  comment: string;
  by: string;
  /** The attendee's page, which leads to the module. */
  link: string;
  academy: MailAcademy;
};

/** Tells a learner that an instructor has read their exercise (P60). */
export function exerciseMarked({
  reference,
  course,
  module,
  accepted,
  comment,
  by,
  link,
  academy,
}: Props): RenderedMail {
  return renderMail({
    subject: subjectOf(accepted ? 'Exercise accepted' : 'Exercise not accepted yet', { title: course, reference }),
    heading: accepted ? 'Your exercise is accepted' : 'Your exercise is not accepted yet',
    parts: [
      {
        facts: [
          ['Course', course],
          ['Module', module],
          ['Marked by', by],
        ],
      },
      ...(comment === '' ? [] : [comment]),
      ...(accepted ? [] : ['Change your answer and hand it in again on the page of the module.']),
      { action: 'See your modules', href: link },
    ],
    academy,
    reason: 'You get this because you handed in an exercise of a course you study with us.',
  });
}
