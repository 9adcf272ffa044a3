/** Names of the treasures (brand.md). Their drawings are in icon-drawings.ts, which no browser loads. */
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
