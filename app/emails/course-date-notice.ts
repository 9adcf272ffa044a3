import { nameWithin } from '#app/lib/short-name.ts';
import { type MailAcademy, type RenderedMail, renderMail } from './layout.tsx';

type Props = {
  /** Names the matter in the subject, such as "Below its minimum". */
  matter: string;
  /** Title and days of the course date. */
  course: string;
  when: string;
  /** The matter and what staff can do, a paragraph each. */
  text: readonly string[];
  link: string;
  academy: MailAcademy;
};

/** Tells staff that a course date waits for their decision, or for something that only they know. */
export function courseDateNotice({ matter, course, when, text, link, academy }: Props): RenderedMail {
  return renderMail({
    subject: `${matter}: ${nameWithin(course, 78 - `${matter}: , ${when}`.length)}, ${when}`,
    heading: matter,
    parts: [{ panel: course, lines: [when] }, ...text, { action: 'Open the course date', href: link }],
    academy,
    toStaff: true,
    preheader: text.join(' '),
    reason: 'The website sends this to the academy once for each course date.',
  });
}
