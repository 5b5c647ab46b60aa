"""The life of a payment from Python, with its standard library alone: create, pay, charge, refund, and check a webhook.

CHECKOUT_URL names a Kassa, SHOP_KEY holds the secret key of a test merchant: python3 shop.py
"""

import base64
import hashlib
import hmac
import json
import os
import time
import urllib.error
import urllib.request
import uuid

URL = os.environ["CHECKOUT_URL"].rstrip("/")
KEY = os.environ["SHOP_KEY"]
TRIES = 5


class KassaError(Exception):
    """What Kassa refused: its status, its code, and what is wrong with which field."""

    def __init__(self, status, text):
        body = json.loads(text) if text.startswith("{") else {}
        super().__init__(f"{status} {body.get('message') or body.get('errors') or text}")
        self.status = status
        self.code = body.get("code")
        self.fields = body.get("errors", {})


def ask(method, path, body=None, key=None):
    """Asks Kassa. What may have been done is repeated with the same key, so that nothing is done twice."""
    headers = {"Authorization": KEY, "Content-Type": "application/json"}
    if method == "POST":
        headers["Idempotency-Key"] = key or str(uuid.uuid4())
    data = None if body is None else json.dumps(body).encode()
    for attempt in range(1, TRIES + 1):
        wait = 0.25 * 2**attempt
        try:
            request = urllib.request.Request(URL + path, data, headers, method=method)
            with urllib.request.urlopen(request, timeout=40) as answer:
                text = answer.read().decode()
                return json.loads(text) if text else None
        except urllib.error.HTTPError as error:
            text = error.read().decode()
            if error.code not in (409, 429) and error.code < 500 or attempt == TRIES:
                raise KassaError(error.code, text) from error
            wait += float(error.headers.get("Retry-After") or 0)
        except OSError:
            if attempt == TRIES:
                raise
        time.sleep(wait)


def verify_webhook(secret, headers, body, now=None):
    """The event of a request that Kassa signed (Standard Webhooks). `body` are the bytes as they came."""
    timestamp = headers["webhook-timestamp"]
    if abs((now or time.time()) - int(timestamp)) > 300:
        raise ValueError("the request is too old")
    signed = f"{headers['webhook-id']}.{timestamp}.".encode() + body
    digest = hmac.new(base64.b64decode(secret.removeprefix("whsec_")), signed, hashlib.sha256).digest()
    ours = "v1," + base64.b64encode(digest).decode()
    if not any(hmac.compare_digest(ours, theirs) for theirs in headers["webhook-signature"].split(" ")):
        raise ValueError("no signature is of this secret")
    return json.loads(body)


def main():
    item = {"reference": "mug", "name": "Mug", "quantity": 1, "unit": "pcs", "unitPrice": 10000}
    item |= {"netTotalAmount": 10000, "grossTotalAmount": 10000}
    order = {"items": [item], "amount": 10000, "currency": "SEK", "reference": "order-1"}
    payment = ask("POST", "/v1/payments", {"order": order, "checkout": {"url": "https://shop.example"}})["paymentId"]

    # In place of a consumer on the checkout's page; this call takes no key, and is one of the sandbox alone.
    ask("POST", f"/v1/sandbox/payments/{payment}/reserve", {"card": "4925000000000004"})
    charge = ask("POST", f"/v1/payments/{payment}/charges", {"amount": 10000}, key="order-1-parcel-1")["chargeId"]
    same = ask("POST", f"/v1/payments/{payment}/charges", {"amount": 10000}, key="order-1-parcel-1")["chargeId"]
    print("one charge for one key:", charge == same)
    ask("POST", f"/v1/charges/{charge}/refunds", {"amount": 4000})
    try:
        ask("POST", f"/v1/payments/{payment}/charges", {"amount": 1})
    except KassaError as error:
        print("refused:", error.status, error.code)
    print(json.dumps(ask("GET", f"/v1/payments/{payment}")["payment"]["summary"]))

    if "WEBHOOK" in os.environ:
        sent = json.loads(os.environ["WEBHOOK"])
        print(verify_webhook(sent["secret"], sent["headers"], sent["body"].encode())["event"])
        try:
            verify_webhook(sent["secret"], sent["headers"], sent["body"].encode() + b" ")
        except ValueError as error:
            print(error)


if __name__ == "__main__":
    main()
