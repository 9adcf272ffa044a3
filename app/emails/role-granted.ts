import { type MailAcademy, type RenderedMail, renderMail } from './layout.tsx';

type Props = {
  name: string;
  email: string;
  /** Such as `admissions`. */
  role: string;
  /** The person who gave it. */
  by: string;
  when: string;
  academy: MailAcademy;
};

/** Tells the owners that somebody became staff, or has another role (P53). */
export function roleGranted({ name, email, role, by, when, academy }: Props): RenderedMail {
  return renderMail({
    subject: `New staff role: ${role}`,
    heading: 'Somebody has a new staff role',
    toStaff: true,
    parts: [
      `${name} has the role ${role} from now on.`,
      {
        facts: [
          ['Email address', email],
          ['Given by', by],
          ['When', `${when}, Brisbane time`],
        ],
      },
      'If you know of this, there is nothing to do.',
      `If you do not, ask the person who runs the server to take the role away at once, by npm run staff -- remove ${email}.`,
    ],
    academy,
    reason: 'You get this because you are an owner of the academy.',
  });
}
