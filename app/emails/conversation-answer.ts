import { type MailAcademy, type RenderedMail, renderMail } from './layout.tsx';

/** Tells a visitor that staff answered in a conversation. It quotes no message: anyone may have typed the address. */
export function conversationAnswer({ link, academy }: { link: string; academy: MailAcademy }): RenderedMail {
  return renderMail({
    subject: 'Our staff have answered your chat',
    heading: 'Our staff have answered your chat',
    parts: [
      'You had left the chat when our answer came. Open it to read the answer and write back.',
      { action: 'Read the answer', href: link },
      { note: 'Anyone with this link can read the chat, so please do not forward this email.' },
    ],
    academy,
    reason:
      'You get this because you gave this address in a chat on our website. We send at most one of these an hour.',
  });
}
