import { Secret, TOTP } from 'otpauth';
import { mailAskedLinks } from '#app/features/people/ask-to-sign-in.server.ts';
import type { AcademyApp } from './academy-app.ts';

/** A browser that keeps cookies. */
export type Browser = {
  cookies: Map<string, string>;
  get(path: string): Promise<Response>;
  /** Sends a form from a page of ours. */
  post(path: string, fields?: Record<string, string>, from?: string): Promise<Response>;
};

/** A browser without cookies, at a network address. */
export function openBrowser(academy: AcademyApp, userAgent = 'Mozilla/5.0 (X11; Linux x86_64) Firefox/128.0'): Browser {
  const cookies = new Map<string, string>();
  const send = async (path: string, init: RequestInit & { from?: string }) => {
    const headers = new Headers(init.headers);
    headers.set('User-Agent', userAgent);
    if (cookies.size > 0) headers.set('Cookie', [...cookies].map(([name, value]) => `${name}=${value}`).join('; '));
    const response = await academy.request(path, { ...init, headers });
    for (const cookie of response.headers.getSetCookie()) {
      const [, name = '', value = '', rest = ''] = /^([^=]+)=([^;]*)(.*)$/.exec(cookie) ?? [];
      if (/Max-Age=0\b/.test(rest)) cookies.delete(name);
      else cookies.set(name, value);
    }
    return response;
  };
  return {
    cookies,
    get: (path) => send(path, {}),
    post: (path, fields = {}, from) =>
      send(path, {
        method: 'POST',
        headers: { 'Sec-Fetch-Site': 'same-origin' },
        body: new URLSearchParams(fields),
        ...(from !== undefined && { from }),
      }),
  };
}

/** The links and codes that were mailed to an address, the oldest first, once all that were asked for are. */
export async function mailedTo(
  academy: AcademyApp,
  email: string,
): Promise<{ link: string; token: string; code: string }[]> {
  await mailAskedLinks(academy.services.signIn);
  const mails = await academy.database.db
    .selectFrom('mails')
    .select('body_text')
    .where('recipient', '=', email)
    .where('kind', '=', 'sign-in-link')
    .orderBy('queued_at')
    .orderBy('id')
    .execute();
  return mails.map(({ body_text: text }) => ({
    link: /http:\/\/localhost:3000(\S+)/.exec(text)?.[1] ?? '',
    token: /token=(\w+)/.exec(text)?.[1] ?? '',
    code: /^\s*(\d{6})\s*$/m.exec(text)?.[1] ?? '',
  }));
}

/** What an authenticator app shows at a moment for a key as a page shows it, computed from the key alone. */
export function appCode(key: string, at: Date): string {
  const totp = new TOTP({
    secret: Secret.fromBase32(key.replaceAll(' ', '')),
    algorithm: 'SHA1',
    digits: 6,
    period: 30,
  });
  return totp.generate({ timestamp: at.getTime() });
}

/** The key on a page that sets up a second factor. */
export const keyOn = (html: string): string => /<code[^>]*>([A-Z2-7 ]+)<\/code>/.exec(html)?.[1] ?? '';

export const locationOf = (response: Response) => response.headers.get('Location');
