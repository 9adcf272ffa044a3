import { type MailAcademy, type RenderedMail, renderMail } from './layout.tsx';

type Props = {
  /** In the words of staff, filled in. */
  subject: string;
  /** A text over several lines; an empty line ends a paragraph. */
  text: string;
  course: string;
  when: string;
  /** The person's own page, and what its button says. */
  link: string;
  button: string;
  /** Why they get it. */
  reason: string;
  /** Only of news and offers: the page that ends them. */
  unsubscribe?: string;
  academy: MailAcademy;
};

/** A message of staff to the people of a course date (P80). */
export function courseDateMessage({
  subject,
  text,
  course,
  when,
  link,
  button,
  reason,
  unsubscribe,
  academy,
}: Props): RenderedMail {
  return renderMail({
    subject,
    heading: subject,
    parts: [
      ...text.split(/\n{2,}/).filter((part) => part.trim() !== ''),
      { panel: course, lines: [when] },
      { action: button, href: link },
    ],
    preheader: [text.replace(/\s+/g, ' ').trim().slice(0, 150), course, when].join(' '),
    academy,
    reason,
    ...(unsubscribe && { unsubscribe }),
  });
}
