import { type MailAcademy, type RenderedMail, renderMail } from './layout.tsx';

type Props = {
  /** The organisation. */
  name: string;
  /** Who named them. */
  by: string;
  /** The address that was named. */
  email: string;
  link: string;
  academy: MailAcademy;
};

/** Tells somebody that they manage an organisation, and how to get there (P116). */
export function managerNamed({ name, by, email, link, academy }: Props): RenderedMail {
  return renderMail({
    subject: `You manage the training of ${name}`,
    heading: `You manage ${name} here`,
    parts: [
      `${by} made you a manager of ${name}. Log in with ${email}, and we email you a code. Then you see who of ${name} attends what, and its quotes and invoices, and can change its enrolments.`,
      { action: 'Log in', href: link },
      `You do not know ${name}? Then do nothing, and tell us by replying to this email.`,
    ],
    academy,
    reason: `You get this because a manager of ${name} named this address.`,
  });
}
