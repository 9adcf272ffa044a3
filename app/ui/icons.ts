/** Names of the treasures (brand.md); how they are drawn stands in icon-drawings.ts, which no browser needs. */
export const iconNames = [
  'shield',
  'eye',
  'cloud',
  'key',
  'lock',
  'chip',
  'flag',
  'gem',
  'scroll',
  'compass',
  'magnifier',
  'terminal',
  'network',
  'crown',
] as const;

export type IconName = (typeof iconNames)[number];

export function isIconName(name: string): name is IconName {
  return (iconNames as readonly string[]).includes(name);
}
