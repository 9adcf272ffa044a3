import { type MailAcademy, type RenderedMail, renderMail } from './layout.tsx';

type Props = {
  /** The job's name, and the kind and id of the item for which it failed. */
  faults: readonly { job: string; item: string }[];
  /** The page for staff that lists them. */
  link: string;
  academy: MailAcademy;
};

const mostNamed = 20;

/** Tells the academy that periodic jobs failed for some items; the page says which, and why. */
export function jobFault({ faults, link, academy }: Props): RenderedMail {
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
