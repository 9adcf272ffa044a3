import { type MailAcademy, type RenderedMail, renderMail } from './layout.tsx';

type JobFaultProps = {
  /** The job's name, and the kind and id of the item for which it failed. */
  faults: readonly { job: string; item: string }[];
  /** The page for staff that lists them. */
  link: string;
  academy: MailAcademy;
};

const mostNamed = 20;

/** Tells the academy that periodic jobs failed for some items; the page says which, and why. */
export function jobFault({ faults, link, academy }: JobFaultProps): RenderedMail {
  const [first] = faults;
  const count = faults.length;
  const subject = count === 1 && first ? `A job failed: ${first.job}` : `Jobs failed for ${count} items`;
  return renderMail({
    subject,
    heading: subject,
    parts: [
      'The items below were not done. Everything else is done.',
      { facts: faults.slice(0, mostNamed).map(({ job, item }): [string, string] => [job, item]) },
      ...(count > mostNamed ? [`The page lists ${count - mostNamed} more.`] : []),
      'The page says what each item is about and what you can do. An item leaves the page when it works again.',
      { action: 'See the jobs that failed', href: link },
    ],
    academy,
    toStaff: true,
    reason: 'The website sends this to the academy when a job fails, once for each item and at most once an hour.',
  });
}

type BackupFaultProps = {
  /** What is wrong, in a sentence. */
  fault: string;
  /** When the newest backup was made, such as `8 Sept 2025, 9:00 AM`; null without one. */
  newest: string | null;
  /** The page for staff that lists what failed. */
  link: string;
  academy: MailAcademy;
};

/** Tells an owner that the database has no good backup of the last day. */
export function backupFault({ fault, newest, link, academy }: BackupFaultProps): RenderedMail {
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

type ContentNotPublishedProps = {
  /** The text that was not published, such as `course SOC Analyst`. */
  what: string;
  /** The planned time, with its zone. */
  due: string;
  /** Why it did not, a sentence each. */
  reasons: readonly string[];
  link: string;
  /** Whether it goes to the person who scheduled it; otherwise to the academy's own address. */
  toEditor: boolean;
  /** Whether visitors see an earlier text. */
  isPublic: boolean;
  academy: MailAcademy;
};

const mostReasons = 10;

/** Tells the person who scheduled a text that it was not published (P73). */
export function contentNotPublished({
  what,
  due,
  reasons,
  link,
  toEditor,
  isPublic,
  academy,
}: ContentNotPublishedProps): RenderedMail {
  return renderMail({
    subject: `Not published: ${what}`,
    heading: toEditor ? 'Your scheduled text was not published' : 'A scheduled text was not published',
    parts: [
      `${toEditor ? `You scheduled the ${what}` : `The ${what} was scheduled`} for ${due}. We did not publish it. The text is kept as a draft, and visitors ${isPublic ? 'still see the text before it' : 'do not see it'}.`,
      { facts: reasons.slice(0, mostReasons).map((reason, at): [string, string] => [`Reason ${at + 1}`, reason]) },
      'Correct the draft, then publish it or schedule it again.',
      { action: 'Open the draft', href: link },
    ],
    academy,
    reason: toEditor
      ? 'You get this because you scheduled the text.'
      : 'You get this because this is the address of the academy.',
  });
}

type ContentPublishedEarlyProps = {
  /** The published text, such as `course SOC Analyst`. */
  what: string;
  /** The planned time, with its zone. */
  due: string;
  /** The person who published it. */
  by: string;
  /** The history of the record. */
  link: string;
  academy: MailAcademy;
};

/** Tells the person who scheduled a text that somebody else published it before its day (P73). */
export function contentPublishedEarly({ what, due, by, link, academy }: ContentPublishedEarlyProps): RenderedMail {
  return renderMail({
    subject: `Published early: ${what}`,
    heading: 'Your scheduled text was published early',
    parts: [
      `You scheduled the ${what} for ${due}. ${by} published it now, so visitors see it already. It is not scheduled any more.`,
      { action: 'Open the history', href: link },
    ],
    academy,
    reason: 'You get this because you scheduled the text.',
  });
}
