import { type MailAcademy, type RenderedMail, renderMail } from './layout.tsx';

type Props = {
  /** What is wrong, in a sentence. */
  fault: string;
  /** When the newest backup was made, such as `8 Sept 2025, 9:00 AM`; null without one. */
  newest: string | null;
  /** The page for staff that lists what failed. */
  link: string;
  academy: MailAcademy;
};

/** Tells an owner that the database has no good backup of the last day. */
export function backupFault({ fault, newest, link, academy }: Props): RenderedMail {
  return renderMail({
    subject: 'The database has no good backup',
    heading: 'The database has no good backup',
    parts: [
      `The backup of our database needs a person today. ${fault}`,
      { facts: [['Newest backup', newest ?? 'There is none']] },
      'Until this is put right, a broken disk would take what was enrolled, paid and written since then. Send this email to the person who looks after the website.',
      { action: 'See the jobs that failed', href: link },
    ],
    academy,
    toStaff: true,
    reason: 'The website sends this to every owner, once a day, while there is no good backup.',
  });
}
