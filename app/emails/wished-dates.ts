import { type MailAcademy, type RenderedMail, renderMail } from './layout.tsx';

type Props = {
  /** Courses with their new dates, a line each, `15 to 19 September 2025, Sydney`. */
  courses: readonly { title: string; dates: readonly string[] }[];
  /** The player's list of wishes. */
  link: string;
  /** The page that ends these emails. */
  unsubscribe: string;
  academy: MailAcademy;
};

/** Tells a player who asked for it that a wished course has a new date (P57). */
export function wishedDates({ courses, link, unsubscribe, academy }: Props): RenderedMail {
  const [first] = courses;
  const one = courses.length === 1 && first ? first.title : null;
  return renderMail({
    subject: one ? `New date: ${one}` : 'New dates for courses you wish for',
    heading: one ? 'A course you wish for has a new date' : 'Courses you wish for have new dates',
    preheader: `${courses.map(({ title, dates }) => `${title}: ${dates[0]}`).join('. ')}.`,
    parts: [
      'You asked us to tell you when this happens.',
      ...courses.map(({ title, dates }) => ({ panel: title, lines: dates })),
      'We keep no seat for you. Enrol if you want to be there.',
      { action: 'See your wishes', href: link },
    ],
    academy,
    unsubscribe,
    reason: 'You get this because you asked for an email about new dates on your list of wishes.',
  });
}
