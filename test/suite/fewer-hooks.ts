// Preloaded by a worker, before node:test. That installs an async hook that notes the test of every promise, which makes
// every await several times as expensive, in a process that runs a whole Kassa. It needs to know two things only: which
// test calls `test` or `before`, and whom an error that nobody caught belongs to. Both are answered here without the hook:
// by the test whose function runs at this moment, and otherwise by the file that the worker runs.
import asyncHooks from 'node:async_hooks';

type Init = (asyncId: number, type: string, triggerAsyncId: number, resource: object) => void;

const { AsyncResource, createHook, executionAsyncId } = asyncHooks;
const tests = new Set<number>();
let noteTest: Init = () => {};
let fileTest = 0;

/** Runs a file as a test of its own: what is found in no other test belongs to it. */
export async function runAsFile(name: string, run: () => Promise<void>): Promise<void> {
  fileTest = 0;
  await test(name, () => {
    fileTest = executionAsyncId();
    return run();
  });
}

class TestResource extends AsyncResource {
  constructor(...given: ConstructorParameters<typeof AsyncResource>) {
    super(...given);
    const id = this.asyncId();
    tests.add(id);
    noteTest(id, given[0], this.triggerAsyncId(), this);
  }
}

// What node:test takes when it is loaded, and nobody else.
const given = { AsyncResource, createHook, executionAsyncId };
const forTests = {
  AsyncResource: TestResource,
  createHook: ({ init }: { init: Init }) => {
    noteTest = init;
    return { enable: () => {}, disable: () => {} };
  },
  executionAsyncId: () => {
    const id = executionAsyncId();
    return tests.has(id) ? id : fileTest;
  },
};
Object.assign(asyncHooks, forTests);
const { test } = await import('node:test');
Object.assign(asyncHooks, given);
