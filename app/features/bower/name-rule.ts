import { englishDataset, englishRecommendedTransformers, RegExpMatcher } from 'obscenity';

const [shortest, longest] = [2, 30];

/** Names that sound like the academy's own. */
const reserved = /bower\s?bird|academy|\badmin|\bstaff\b|official|moderator|\bsupport\b|\binstructor/i;

let matcher: RegExpMatcher | null = null;

/** Words that no name may contain in any spelling, such as `Bower-bird` or `B0werb1rd`. */
const reservedAnyhow = /bowerbird|academy|official|moderator/;

const soundsLikeUs = (name: string, slug: string): boolean => {
  const joined = slug.replace(/[0345]/g, (digit) => digitsAsLetters[digit] ?? '').replaceAll('-', '');
  const anyhow = [joined.replaceAll('1', 'i'), joined.replaceAll('1', 'l')];
  return [name, slug].some((one) => reserved.test(one)) || anyhow.some((one) => reservedAnyhow.test(one));
};

const digitsAsLetters: Record<string, string> = { '0': 'o', '3': 'e', '4': 'a', '5': 's' };

/** The list of words is built when the first name is checked: it costs some milliseconds. */
const isRude = (name: string): boolean => {
  matcher ??= new RegExpMatcher({ ...englishDataset.build(), ...englishRecommendedTransformers });
  return matcher.hasMatch(name) || matcher.hasMatch(name.replace(/[\s'’-]/g, ''));
};

/**
 * A name for a public bower and its address (P63): 2 to 30 characters of Latin letters, digits, spaces, hyphens and
 * apostrophes, at least two of them letters, no word of the packaged list of rude ones, and none that sounds like the
 * academy, with digits or hyphens in it too. Piles of accents are refused, because
 * they cover the text around them. Words of the player's own name are never rude: people are called Dick and Shital. A
 * refusal says what to do.
 */
export function checkName(
  typed: string,
  ownName: string | null,
): { ok: true; name: string; slug: string } | { ok: false; fault: string } {
  const name = typed.normalize('NFC').trim().replace(/\s+/g, ' ').replaceAll("'", '’');
  if (name.length < shortest) return { ok: false, fault: 'Type a name of at least 2 letters.' };
  if (name.length > longest) return { ok: false, fault: `Type a shorter name: ${longest} characters at most.` };
  if (!/^[\p{Script=Latin}\p{Mark}\d ’-]+$/u.test(name) || (name.match(/\p{Script=Latin}/gu)?.length ?? 0) < 2) {
    return { ok: false, fault: 'Use letters, digits, spaces, hyphens and apostrophes, with at least 2 letters.' };
  }
  if (/\p{Mark}{2}/u.test(name)) return { ok: false, fault: 'Type the name without several accents on one letter.' };
  const slug = slugOf(name);
  if (slug.length < shortest) return { ok: false, fault: 'Type a name with at least 2 plain letters.' };
  if (soundsLikeUs(name, slug)) {
    return { ok: false, fault: 'This name sounds as if the academy spoke. Choose another one.' };
  }
  const own = new Set(wordsOf(ownName ?? ''));
  const others = wordsOf(name).filter((word) => !own.has(word));
  if (isRude(others.join(' ')) || isRude(slugOf(others.join(' ')))) {
    return { ok: false, fault: 'We cannot show this name. Choose another one, or write to us if it is your own.' };
  }
  return { ok: true, name, slug };
}

const wordsOf = (name: string) => name.toLowerCase().split(/[\s-]+/);

/** `Zoë O’Brien` is `zoe-o-brien`; letters that do not decompose become their plain forms. */
function slugOf(name: string): string {
  const plain = name
    .toLowerCase()
    .replace(/[ßæœøłđðþı]/g, (letter) => plainForms[letter] ?? '')
    .normalize('NFD')
    .replace(/\p{Mark}/gu, '');
  return plain.replace(/[^a-z0-9]+/g, '-').replace(/^-|-$/g, '');
}

const plainForms: Record<string, string> = {
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  ł: 'l',
  đ: 'd',
  ð: 'd',
  þ: 'th',
  ı: 'i',
};
