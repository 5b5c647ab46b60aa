// A bulk at the hands of a careful merchant: asked for under one name until the answer comes, sometimes once more with the
// same content and sometimes with other content, and read until it is done. What each entry came to is told by the last
// read; under which id, by every read.
import type { Bulk, Life } from './journal.ts';
import { GivenUp } from './retrying-client.ts';
import type { Reply, RetryingClient } from './retrying-client.ts';

export type AskedBulk = Pick<Bulk, 'name' | 'purpose'> & {
  /** Whose story it is part of. */
  readonly owner: Life;
  readonly path: string;
  readonly body: object;
  /** The same name with other content. */
  readonly otherBody: object;
  readonly count: number;
};

export type Entry = {
  readonly paymentId?: string;
  readonly chargeId?: string;
  readonly status: 'Pending' | 'Succeeded' | 'Failed';
  readonly code?: string;
  readonly source?: string;
};

const isOpen = (reply: Reply | undefined): boolean => reply === undefined || [409, 500, 503].includes(reply.status);

export class BulkClient {
  readonly #client: RetryingClient;
  readonly #asked: AskedBulk;
  readonly #bulk: Bulk;

  constructor(client: RetryingClient, asked: AskedBulk) {
    this.#client = client;
    this.#asked = asked;
    const { name, purpose, count } = asked;
    this.#bulk = { name, purpose, count, ids: new Set(), isDone: false };
    client.journal.bulks.push(this.#bulk);
  }

  /** Asks until it is known that it is written down. */
  async ask(): Promise<string> {
    const { random } = this.#client;
    if (random.chance(0.15)) await Promise.all([this.#post(0), this.#post(1)]);
    for (let tries = 0; this.#bulk.ids.size === 0; tries += 1) {
      if (tries > 0) await this.#client.pause(tries);
      await this.#post();
    }
    if (random.chance(0.3)) await this.#post();
    if (random.chance(0.3)) await this.#askForOther();
    return [...this.#bulk.ids][0] ?? '';
  }

  async #post(kassa?: number): Promise<void> {
    const { owner, path, body, name } = this.#asked;
    const { journal } = this.#client;
    const reply = await this.#client.post(owner, path, body, kassa);
    if (isOpen(reply)) {
      journal.retries += 1;
      if (reply?.status !== 503 || reply.text.includes('not known')) journal.unknown.add(this.#bulk);
      if (reply?.status === 500) journal.find('defect', `bulk ${name}: ${reply.text}`, owner.n);
      return;
    }
    if (reply?.status !== 202) {
      journal.find('wrong answer', `bulk ${name}: ${reply?.status} ${reply?.text}`, owner.n);
      throw new GivenUp(`bulk ${name} was not taken`);
    }
    const { ids } = this.#bulk;
    ids.add(String(reply.body?.bulkId));
    if (ids.size > 1) journal.find('doubled', `bulk ${name} is ${[...ids].join(' and ')}`, owner.n);
  }

  /** Its name is taken: 422, whoever is asked and however long the trouble lasts. */
  async #askForOther(): Promise<void> {
    const { owner, path, otherBody, name } = this.#asked;
    for (let tries = 0; ; tries += 1) {
      const reply = await this.#client.post(owner, path, otherBody);
      if (reply?.status === 422) return;
      if (!isOpen(reply)) {
        const text = `bulk ${name} with other content: ${reply?.status} ${reply?.text}`;
        this.#client.journal.find('wrong answer', text, owner.n);
        return;
      }
      await this.#client.pause(tries);
    }
  }

  /** Reads it until it is done; ids that it has shown once stay. */
  async awaitDone(): Promise<readonly Entry[]> {
    const { owner, path, count, name } = this.#asked;
    const [id] = this.#bulk.ids;
    const shown: Entry[] = [];
    for (let looks = 0; ; looks += 1) {
      const { page, status } = await this.#client.read(owner, `${path}/${id}`);
      const entries = page as readonly Entry[];
      if (entries.length !== count) this.#find(`bulk ${name} shows ${entries.length} entries of ${count}`);
      entries.forEach((entry, place) => this.#compare(shown[place], entry, place));
      shown.splice(0, shown.length, ...entries);
      if (status === 'Done') break;
      await this.#client.pause(looks);
    }
    if (shown.some(({ status }) => status === 'Pending')) this.#find(`bulk ${name} is done, and entries are pending`);
    this.#bulk.isDone = true;
    return shown;
  }

  #compare(before: Entry | undefined, now: Entry, place: number): void {
    if (before === undefined) return;
    for (const field of ['paymentId', 'chargeId'] as const)
      if (before[field] !== undefined && now[field] !== undefined && before[field] !== now[field])
        this.#find(`entry ${place} was ${field} ${before[field]}, and is ${now[field]}`);
  }

  #find(text: string): void {
    this.#client.journal.find('wrong answer', text, this.#asked.owner.n);
  }
}
