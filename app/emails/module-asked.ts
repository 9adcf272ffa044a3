import { type MailAcademy, type RenderedMail, renderMail } from './layout.tsx';

type Props = {
  course: string;
  /** Number and title, such as `4. Analysis`. */
  module: string;
  /** The day in words. */
  by: string;
  link: string;
  academy: MailAcademy;
};

/** Asks an instructor for the text of a module that a learner has opened (P105). */
export function moduleAsked({ course, module, by, link, academy }: Props): RenderedMail {
  return renderMail({
    subject: `Hand out a module of ${course}`,
    heading: 'A learner has opened a module without text',
    parts: [
      `Please write its reading and its exercise by the end of ${by}. We promised that to the learner.`,
      {
        facts: [
          ['Course', course],
          ['Module', module],
        ],
      },
      { action: 'Hand out the module', href: link },
    ],
    academy,
    reason: 'You get this because you teach this course.',
  });
}
