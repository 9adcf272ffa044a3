/** Makes values of Set-Cookie. Behind HTTPS a cookie that scripts cannot read is tied to the host by its name. */
export type CookieMaker = {
  nameOf(cookie: string): string;
  /** A cookie that scripts cannot read; `seconds` is how long it lasts. */
  set(cookie: string, value: string, seconds: number): string;
  setReadable(cookie: string, value: string, seconds: number): string;
};

export function cookieMaker(baseUrl: string): CookieMaker {
  const https = baseUrl.startsWith('https:');
  const nameOf = (cookie: string) => (https ? `__Host-${cookie}` : cookie);
  const secure = https ? '; Secure' : '';
  return {
    nameOf,
    set: (cookie, value, seconds) =>
      `${nameOf(cookie)}=${value}; Max-Age=${seconds}; Path=/; HttpOnly${secure}; SameSite=Lax`,
    setReadable: (cookie, value, seconds) => `${cookie}=${value}; Max-Age=${seconds}; Path=/${secure}; SameSite=Lax`,
  };
}

/** The value of a cookie of a request, or an empty text. */
export function cookieIn(headers: Headers, name: string): string {
  const pairs = (headers.get('Cookie') ?? '').split(';').map((pair) => pair.trim());
  return pairs.find((pair) => pair.startsWith(`${name}=`))?.slice(name.length + 1) ?? '';
}
