// A cache of the latest PDFs, with limits per merchant and in total bytes.

type Kept = { readonly merchantId: number; readonly pdf: Buffer };

const MOST_KEPT = 32;
const MOST_OF_MERCHANT = 8;
// A long invoice has one to two megabytes.
const MOST_BYTES = 16_777_216;

export class PdfCache {
  // The oldest first.
  readonly #kept = new Map<string, Kept>();
  #bytes = 0;

  find(key: string): Buffer | undefined {
    return this.#kept.get(key)?.pdf;
  }

  add(key: string, merchantId: number, pdf: Buffer): void {
    if (pdf.length > MOST_BYTES || this.#kept.has(key)) return;
    this.#kept.set(key, { merchantId, pdf });
    this.#bytes += pdf.length;
    const own = [...this.#kept].filter(([, kept]) => kept.merchantId === merchantId);
    if (own.length > MOST_OF_MERCHANT) this.#forget(own[0]?.[0]);
    while (this.#kept.size > MOST_KEPT || this.#bytes > MOST_BYTES) this.#forget(this.#kept.keys().next().value);
  }

  #forget(key: string | undefined): void {
    const kept = key === undefined ? undefined : this.#kept.get(key);
    if (key === undefined || kept === undefined) return;
    this.#kept.delete(key);
    this.#bytes -= kept.pdf.length;
  }
}
