import { mostWishes } from './rules.ts';

/** Where a visitor's wishes are kept: slugs, the latest first (P57). */
export const wishesKey = 'wishes';

/** The wishes kept on this device. None where the browser keeps nothing, or something else wrote there. */
export function deviceWishes(): string[] {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(wishesKey) ?? '[]');
    return Array.isArray(kept) ? kept.filter((slug) => typeof slug === 'string' && isSlug(slug)) : [];
  } catch {
    return [];
  }
}

const isSlug = (text: string) => /^[a-z0-9-]{1,100}$/.test(text);

/** Adds a course to the device's wishes or takes it off. Says when the browser keeps nothing, or there are too many. */
export function setDeviceWish(slug: string, wished: boolean): 'kept' | 'full' | 'refused' {
  const others = deviceWishes().filter((one) => one !== slug);
  if (wished && others.length >= mostWishes) return 'full';
  return keep(wished ? [slug, ...others] : others) ? 'kept' : 'refused';
}

/** Whether this browser keeps anything. Never touches the list, which another tab may be changing. */
export function keepsWishes(): boolean {
  try {
    localStorage.setItem('wishes-tried', '1');
    localStorage.removeItem('wishes-tried');
    return true;
  } catch {
    return false;
  }
}

function keep(wishes: readonly string[]): boolean {
  try {
    if (wishes.length > 0) localStorage.setItem(wishesKey, JSON.stringify(wishes));
    else localStorage.removeItem(wishesKey);
    return true;
  } catch {
    return false;
  }
}

/** Whether a cookie says that somebody is signed in. It may be out of date. */
export const seemsSignedIn = (): boolean => /(?:^|; )signed-in=1/.test(document.cookie);

/**
 * Joins the device's wishes with those of the player who is signed in, and takes them off the device, so that nobody else who
 * signs in here gets them. False when there was nothing to join, or nobody is signed in.
 */
export async function joinDeviceWishes(): Promise<boolean> {
  const own = deviceWishes();
  if (own.length === 0 || !seemsSignedIn()) return false;
  const body = new URLSearchParams({ act: 'join', courses: own.join(' ') });
  const answer = await fetch('/api/wishes', { method: 'POST', body });
  if (!answer.ok) return false;
  // One that was wished for in another tab meanwhile is joined by the next page.
  const left = deviceWishes().filter((slug) => !own.includes(slug));
  return keep(left);
}
