/**
 * How many letters must be put in, left out, replaced or swapped with their neighbour to make `typed` out of `word`; of
 * an unfinished text, out of a beginning of `word`. `most + 1` when it takes more than `most`.
 */
export function editDistance(typed: string, word: string, most: number, unfinished = false): number {
  if (typed.length - word.length > most || (!unfinished && word.length - typed.length > most)) return most + 1;
  const width = Math.min(word.length, typed.length + most);
  let twoBefore: number[] = [];
  let before = Array.from({ length: width + 1 }, (_, at) => at);
  for (let row = 1; row <= typed.length; row++) {
    const current = [row];
    let least = row;
    for (let column = 1; column <= width; column++) {
      const replaced = typed[row - 1] === word[column - 1] ? 0 : 1;
      let distance = Math.min(at(before, column) + 1, at(current, column - 1) + 1, at(before, column - 1) + replaced);
      const swapped = typed[row - 1] === word[column - 2] && typed[row - 2] === word[column - 1];
      if (swapped && column > 1) distance = Math.min(distance, at(twoBefore, column - 2) + 1);
      current.push(distance);
      least = Math.min(least, distance);
    }
    if (least > most) return most + 1;
    twoBefore = before;
    before = current;
  }
  return Math.min(unfinished ? Math.min(...before) : at(before, width), most + 1);
}

const at = (row: number[], column: number): number => row[column] ?? Number.POSITIVE_INFINITY;
