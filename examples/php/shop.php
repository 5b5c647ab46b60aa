<?php
/**
 * The life of a payment from PHP 8, with no extension but those that it always has: create, pay, charge, refund, and check
 * a webhook.
 *
 * CHECKOUT_URL names a Kassa, SHOP_KEY holds the secret key of a test merchant: php shop.php
 */

declare(strict_types=1);

const TRIES = 5;

/** What Kassa refused: its status, its code, and what is wrong with which field. */
final class KassaError extends RuntimeException
{
    public readonly ?string $errorCode;
    /** @var array<string, list<string>> */
    public readonly array $fields;

    public function __construct(public readonly int $status, string $text)
    {
        $body = json_decode($text, true);
        $body = is_array($body) ? $body : [];
        $this->errorCode = $body['code'] ?? null;
        $this->fields = $body['errors'] ?? [];
        parent::__construct($status . ' ' . ($body['message'] ?? (json_encode($this->fields) ?: $text)));
    }
}

/** One request: status, headers by their lower-case names, and body; null where there was no answer. */
function sendOnce(string $method, string $path, array $headers, ?string $body): ?array
{
    $lines = array_map(fn ($name, $value) => "$name: $value", array_keys($headers), $headers);
    $http = ['method' => $method, 'header' => $lines, 'timeout' => 40, 'ignore_errors' => true, 'follow_location' => 0];
    if ($body !== null) {
        $http['content'] = $body;
    }
    $url = rtrim((string) getenv('CHECKOUT_URL'), '/') . $path;
    $stream = @fopen($url, 'r', false, stream_context_create(['http' => $http]));
    if ($stream === false) {
        return null;
    }
    $text = stream_get_contents($stream);
    $meta = stream_get_meta_data($stream);
    fclose($stream);
    if ($text === false || $meta['timed_out']) {
        return null;
    }
    $status = 0;
    $answered = [];
    foreach ($meta['wrapper_data'] as $line) {
        if (preg_match('~^HTTP/\S+ (\d{3})~', $line, $found)) {
            $status = (int) $found[1];
        } elseif (str_contains($line, ':')) {
            [$name, $value] = explode(':', $line, 2);
            $answered[strtolower($name)] = trim($value);
        }
    }
    // A body that was cut is no answer.
    $isWhole = strlen($text) === (int) ($answered['content-length'] ?? strlen($text));
    return $isWhole ? [$status, $answered, $text] : null;
}

/** Asks Kassa. What may have been done is repeated with the same key, so that nothing is done twice. */
function ask(string $method, string $path, ?array $body = null, ?string $key = null): ?array
{
    $headers = ['Authorization' => (string) getenv('SHOP_KEY'), 'Content-Type' => 'application/json'];
    if ($method === 'POST') {
        $headers['Idempotency-Key'] = $key ?? bin2hex(random_bytes(16));
    }
    $content = $body === null ? null : json_encode($body, JSON_THROW_ON_ERROR);
    for ($attempt = 1; ; $attempt++) {
        $answer = sendOnce($method, $path, $headers, $content);
        $wait = 0.25 * 2 ** $attempt;
        if ($answer !== null) {
            [$status, $answered, $text] = $answer;
            if ($status >= 200 && $status < 300) {
                return $text === '' ? null : json_decode($text, true, 512, JSON_THROW_ON_ERROR);
            }
            $isPassing = $status === 409 || $status === 429 || $status >= 500;
            if (!$isPassing || $attempt === TRIES) {
                throw new KassaError($status, $text);
            }
            $wait += (float) ($answered['retry-after'] ?? 0);
        } elseif ($attempt === TRIES) {
            throw new RuntimeException("there is no answer to $method $path");
        }
        usleep((int) ($wait * 1_000_000));
    }
}

/** The event of a request that Kassa signed (Standard Webhooks). $body are the bytes as they came. */
function verifyWebhook(string $secret, array $headers, string $body): array
{
    $timestamp = $headers['webhook-timestamp'] ?? '';
    if (!ctype_digit($timestamp) || abs(time() - (int) $timestamp) > 300) {
        throw new UnexpectedValueException('the request is too old');
    }
    $bytes = base64_decode(preg_replace('/^whsec_/', '', $secret), true);
    if ($bytes === false || $bytes === '') {
        throw new UnexpectedValueException('the secret is none');
    }
    $signed = ($headers['webhook-id'] ?? '') . ".$timestamp.$body";
    $ours = 'v1,' . base64_encode(hash_hmac('sha256', $signed, $bytes, true));
    foreach (explode(' ', $headers['webhook-signature'] ?? '') as $theirs) {
        if (hash_equals($ours, $theirs)) {
            return json_decode($body, true, 512, JSON_THROW_ON_ERROR);
        }
    }
    throw new UnexpectedValueException('no signature is of this secret');
}

function main(): void
{
    $item = ['reference' => 'mug', 'name' => 'Mug', 'quantity' => 1, 'unit' => 'pcs', 'unitPrice' => 10000];
    $item += ['netTotalAmount' => 10000, 'grossTotalAmount' => 10000];
    $order = ['items' => [$item], 'amount' => 10000, 'currency' => 'SEK', 'reference' => 'order-1'];
    $create = ['order' => $order, 'checkout' => ['url' => 'https://shop.example']];
    $payment = ask('POST', '/v1/payments', $create)['paymentId'];

    // In place of a consumer on the checkout's page; this call takes no key, and is one of the sandbox alone.
    ask('POST', "/v1/sandbox/payments/$payment/reserve", ['card' => '4925000000000004']);
    $charge = ask('POST', "/v1/payments/$payment/charges", ['amount' => 10000], 'order-1-parcel-1')['chargeId'];
    $same = ask('POST', "/v1/payments/$payment/charges", ['amount' => 10000], 'order-1-parcel-1')['chargeId'];
    echo 'one charge for one key: ', var_export($charge === $same, true), "\n";
    ask('POST', "/v1/charges/$charge/refunds", ['amount' => 4000]);
    try {
        ask('POST', "/v1/payments/$payment/charges", ['amount' => 1]);
    } catch (KassaError $error) {
        echo "refused: $error->status $error->errorCode\n";
    }
    echo json_encode(ask('GET', "/v1/payments/$payment")['payment']['summary']), "\n";

    $given = getenv('WEBHOOK');
    if ($given !== false) {
        $sent = json_decode($given, true, 512, JSON_THROW_ON_ERROR);
        echo verifyWebhook($sent['secret'], $sent['headers'], $sent['body'])['event'], "\n";
        try {
            verifyWebhook($sent['secret'], $sent['headers'], $sent['body'] . ' ');
        } catch (UnexpectedValueException $error) {
            echo $error->getMessage(), "\n";
        }
    }
}

main();
